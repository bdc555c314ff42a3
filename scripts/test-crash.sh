#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Runs every case of the crash matrix and counts them. As root, with loop devices, the calls of the node too, for which
# it installs the file systems' programs on Debian and Ubuntu.
set -euo pipefail
cd "$(dirname "$0")/../driver/crash"

# shellcheck source=scripts/filesystems.sh
source ../../scripts/filesystems.sh
need_filesystems test-crash

# From inside the package, so that Go shows the table of a run that passed.
CSI_TOPO_CRASH_TEST=1 go test -count=1 -timeout 30m
