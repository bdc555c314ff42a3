#!/usr/bin/env bash
# Runs every case of the crash matrix and counts them. As root, with loop devices, the calls of the node too.
set -euo pipefail
cd "$(dirname "$0")/../driver/crash"

# From inside the package, so that Go shows the table of a run that passed.
CSI_TOPO_CRASH_TEST=1 go test -count=1 -timeout 30m
