// SPDX-License-Identifier: Apache-2.0

// Package scale measures what topology and capacity cost with many segments. An experiment runs etcd, kube-apiserver and
// a sidecar as processes on this machine, with nodes that are objects only, and a stand-in for a driver, which answers at
// once and counts. Nothing stays when it ends.
//
// Figures of two machines cannot be compared. Each experiment therefore runs the versions that it compares in turn, in
// an order that is shuffled, and reports intervals.
package scale
