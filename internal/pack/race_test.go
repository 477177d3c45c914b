//go:build race

package pack

// hostileSize is what TestHostileSizes fills, in bytes: the race detector makes its work ten times as slow.
const hostileSize = 1 << 14
