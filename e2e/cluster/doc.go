// SPDX-License-Identifier: Apache-2.0

// Package cluster is the cluster tier: cases that need a real cluster, and test the scheduler, the kubelets, the sidecars
// and a driver together.
//
// Each package with cases is an area, and each case is a file with its name; package harness runs the code around every
// case. The cases are independent of any particular driver: a harness.Target contains everything that they need.
package cluster
