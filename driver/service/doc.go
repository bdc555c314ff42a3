// SPDX-License-Identifier: Apache-2.0

// Package service implements the driver's CSI services, one file per RPC, and the socket they are served on. The services
// interpret requests and build responses; the placement of volumes, their form on disk and their records are left to the
// sibling packages.
package service
