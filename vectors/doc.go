// SPDX-License-Identifier: Apache-2.0

// Package vectors contains the examples of TopologyRequirement in the CSI specification, and a thousand similar generated
// requests. Each vector has the request, the segments without room, and the allowed answers. Unit tests of a driver can check
// its choice of topologies against the vectors, without a socket. docs/vectors.md describes how; vectors.py is the same
// package in Python.
//
// The package depends only on the standard library, and on no driver or other part of csi-topo.
package vectors

//go:generate go run ./generate
