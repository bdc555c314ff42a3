// SPDX-License-Identifier: Apache-2.0

// Package scale measures the cost of topology and capacity with many segments. An experiment runs etcd, kube-apiserver and
// a sidecar as processes on this machine, with nodes that are objects only, and a stand-in for a driver, which answers
// immediately and counts calls. Nothing is left when it ends.
//
// Figures from different machines cannot be compared. Each experiment therefore runs all versions that it compares, in
// shuffled order, and reports intervals.
package scale
