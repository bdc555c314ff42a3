#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Shows that runs leave nothing behind: the container engine's own life, and then runs on clusters that are interrupted
# and broken. Wants what `make e2e` has installed and made.
set -euo pipefail
cd "$(dirname "$0")/.."

# The engine's tests start daemons of their own, which takes root and Debian's packages; a host that has a Docker of its
# own has no use for a private one.
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null && command -v dockerd >/dev/null; then
	command -v busybox >/dev/null || {
		apt-get update -q
		apt-get install -qy --no-install-recommends busybox-static
	} >/dev/null
	CSI_TOPO_ENGINE_TEST=1 go test -count=1 -timeout 20m -run TestPrivateDaemon ./clusters/engine
else
	echo 'no private container engine is tested: that takes root and dockerd on Debian or Ubuntu'
fi

CSI_TOPO_CLEANUP_TEST=1 go test -count=1 -timeout 40m -v -run 'Left|Kept' ./e2e/cmd/csi-topo
