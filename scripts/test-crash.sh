#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Runs every case of the crash matrix and counts them. As root, with loop devices, the calls of the node too, for which
# it installs the file systems' programs on Debian and Ubuntu.
set -euo pipefail
cd "$(dirname "$0")/../driver/crash"

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null && ! command -v mkfs.xfs >/dev/null; then
	log=$(mktemp)
	trap 'rm -f "$log"' EXIT
	echo 'test-crash: installing xfsprogs and e2fsprogs'
	if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install \
		--yes --no-install-recommends xfsprogs e2fsprogs; } >"$log" 2>&1; then
		cat "$log" >&2
		echo 'test-crash: they could not be installed; the calls of the node are left out' >&2
	fi
fi

# From inside the package, so that Go shows the table of a run that passed.
CSI_TOPO_CRASH_TEST=1 go test -count=1 -timeout 30m
