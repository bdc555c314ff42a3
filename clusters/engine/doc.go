// SPDX-License-Identifier: Apache-2.0

// Package engine finds the container engine that a cluster runs on, or starts one.
//
// A Docker that already answers is used as it is. Where none answers, and this is
// root on Debian or Ubuntu, Docker is installed and a private daemon is started:
// its own socket, data, containerd and configuration, no default bridge. The last
// process that needs the private daemon stops it, and gives back what it changed
// on the host.
//
// The package knows hosts and Docker; it knows nothing of kind, Kubernetes or drivers.
package engine
