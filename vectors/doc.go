// SPDX-License-Identifier: Apache-2.0

// Package vectors has the examples of TopologyRequirement in the CSI specification, and a thousand generated requests like
// them: what is asked, what is full, and which answers are allowed. A driver's unit tests check its choice of topologies by
// them, without a socket. docs/vectors.md describes how; vectors.py is the same in Python.
//
// It knows no driver and no other part of csi-topo, and needs only the standard library.
package vectors

//go:generate go run ./generate
