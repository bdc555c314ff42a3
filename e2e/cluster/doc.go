// SPDX-License-Identifier: Apache-2.0

// Package cluster is the cluster tier: cases that need a real cluster, and show what the scheduler, the kubelets, the
// sidecars and a driver do together.
//
// Each package with cases is an area, and each case is a file with its name; harness runs around every case. The cases
// know no particular driver: a harness.Target contains everything that they need.
package cluster
