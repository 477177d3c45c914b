// Package peertest runs Haversack among the programs that it meets in use: a Docker daemon that builds the
// Dockerfile, the workflow runner act with its artifact server, and the official JavaScript client, which
// reads back what was handed over. It holds tests alone.
//
// The tests run when HAVERSACK_PEERS is "require", and then a missing peer is a failure; otherwise they skip.
// They need on the path: docker (a daemon that DOCKER_HOST names), act, git, node and npm, and the two images
// of .ci/images, or with a registry in reach golang and, in HAVERSACK_RUNNER_IMAGE, an image for jobs. The
// script .ci/run brings all of it.
package peertest
