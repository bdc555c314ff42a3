#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Runs the spec tier with one seed after another, in an order that follows from each, on a program built with the race
# detector, and fails at the first run whose verdicts are not those of the first. RUNS is how many.
set -euo pipefail
cd "$(dirname "$0")/.."

runs=${RUNS:-50}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

go build -race -o "$dir/csi-topo" ./e2e/cmd/csi-topo
for seed in $(seq "$runs"); do
	status=0
	"$dir/csi-topo" spec --seed "$seed" --shuffle --label '!csi-sanity' --report-dir "$dir/report" >"$dir/output" 2>&1 || status=$?
	awk '/^cases:/ { cases = 1 } cases && /^ *- id:/ { id = $3 } cases && /^ *verdict:/ { print id, $2 }' "$dir/report/report.yaml" >"$dir/verdicts"
	[ "$seed" -gt 1 ] || cp "$dir/verdicts" "$dir/first"
	if [ "$status" -ne 0 ] || ! diff "$dir/first" "$dir/verdicts"; then
		cat "$dir/output"
		echo "test-seeds: seed $seed: exit status $status, and verdicts that differ from those of seed 1 are above" >&2
		exit 1
	fi
done
echo "test-seeds: $runs runs with as many seeds, the same verdicts every time: $(cut -d ' ' -f 2 "$dir/first" | sort | uniq -c | tr -s ' \n' ' ')"
