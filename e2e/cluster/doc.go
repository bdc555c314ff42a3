// SPDX-License-Identifier: Apache-2.0

// Package cluster is the cluster tier: cases that need a real cluster, and show what the scheduler, the kubelets, the
// sidecars and a driver do together.
//
// Each package with cases is an area, and each case a file of its name; harness has what happens around every case. The
// cases know no particular driver: a harness.Target says everything that they need.
package cluster
