//go:build !race

package pack

// hostileSize is what TestHostileSizes fills, in bytes.
const hostileSize = 1 << 18
