#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Runs every Go test and sums up. -short leaves out the drivers that make mutation runs as well, and combinations that the
# nightly workflow runs. As root, it installs what the reference driver's own processes need, which the spec tier judges
# then.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/filesystems.sh
source scripts/filesystems.sh
need_filesystems test

# Tests run the spec tier many times in short-lived processes and small heaps: less garbage collection is a fifth less
# time.
export GOGC=400

output=$(mktemp)
trap 'rm -f "$output"' EXIT

echo 'test: compiling and running; on a fresh machine the first package takes a few minutes'
status=0
# The packages that take longest begin first, so that neither of them runs alone at the end. Vet is one of the linters of
# make verify.
go test -short -vet=off -timeout 45m "$@" ./e2e/spec ./e2e/cmd/csi-topo ./... | tee "$output" || status=$?
awk -v seconds="$SECONDS" -v status="$status" '
	/^ok  \t/ { passed++ }
	/^FAIL\t/ { failed++ }
	/^--- FAIL: / { tests = tests "\n  " $3 }
	END {
		printf "test: %d packages passed, %d failed, in %ds\n", passed, failed, seconds
		if (tests != "") print "test: failed:" tests
	}' "$output"
exit "$status"
