#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Compares the driver with 10,000 volumes with the driver with 100, and prints the table of driver/README.md. TURNS is
# how many times each gets its turn; TMPDIR is where the records and images are, which has to be a disk.
set -euo pipefail
cd "$(dirname "$0")/.."

turns=${TURNS:-100}
output=$(mktemp)
trap 'rm -f "$output"' EXIT

if [ "$(stat --file-system --format %T "${TMPDIR:-/tmp}")" = tmpfs ]; then
	echo "bench-driver: ${TMPDIR:-/tmp} is memory, where fsync costs nothing: set TMPDIR to a directory on a disk" >&2
	exit 1
fi
echo "bench-driver: $turns turns of about 100 calls each; that takes about 10 minutes" >&2
# The driver's manifests set the same: with few records there is little to collect, and it may wait.
export GOGC=400
go test -run '^$' -bench . -benchtime "${turns}x" -timeout 2h ./driver/benchmark | tee "$output" >&2

awk -v turns="$turns" -v cores="$(nproc)" -v disk="$(df --output=fstype "${TMPDIR:-/tmp}" | tail -1)" '
	function ms(part, who) { return sprintf("%.2f", metric[part "-" who "-ms"]) }
	function ratio(part) {
		return sprintf("%.2f (%.2f to %.2f)", metric[part "-ratio"], metric[part "-ratio-low"], metric[part "-ratio-high"])
	}
	/^cpu: / { cpu = substr($0, 6) }
	!/^Benchmark/ { next }
	!rows++ {
		printf "%s, %d cores, %s; %d turns of about 100 calls; times in ms, ratios with their 95%% interval\n\n", cpu, cores, disk, turns
		print "| call | kind | callers | p50: 100 | p50: 10,000 | ratio | p99: 100 | p99: 10,000 | ratio |"
		print "|---|---|--:|--:|--:|--:|--:|--:|--:|"
	}
	{
		split($1, name, "/")
		sub(/kind=/, "", name[2])
		gsub(/callers=|-[0-9]+$/, "", name[4])
		if (name[1] ~ /Noise/) name[3] = name[3] ", 100 against 100"
		for (i = 3; i < NF; i += 2) metric[$(i + 1)] = $i
		printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name[3], name[2], name[4],
			ms("p50", "few"), ms("p50", "many"), ratio("p50"), ms("p99", "few"), ms("p99", "many"), ratio("p99")
	}' "$output"
