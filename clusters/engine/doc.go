// SPDX-License-Identifier: Apache-2.0

// Package engine finds the container engine that a cluster runs on, or starts one.
//
// It uses a Docker that already answers. If there is none, and this process is root on Debian or Ubuntu, it installs
// Docker and starts a private daemon, with its own socket, data, containerd and configuration, and without a default
// bridge. The last process that needs the private daemon stops it, and undoes its changes to the host.
//
// The package knows hosts and Docker, but not kind, Kubernetes or drivers.
package engine
