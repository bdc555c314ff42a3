#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Runs the spec tier and csi-sanity in turn against the embedded driver, and prints how long the tier takes, and what a
# case of it costs beside a spec of csi-sanity. TURNS is how many times each gets its turn. Then it runs the tier once
# with 1 to 256 segments, and once against a driver whose mutating calls take a second, which takes minutes; SLOW=0
# leaves both out.
set -euo pipefail
cd "$(dirname "$0")/.."

turns=${TURNS:-15}

# bench runs one benchmark and prints its metrics as "name value" lines.
bench() {
	go test -run '^$' -bench "^$1\$" -benchtime "$2x" -timeout 2h ./e2e/cmd/csi-topo | awk -v name="$1" '
		$0 ~ "^" name { for (i = 3; i < NF; i += 2) print $(i + 1), $i; found = 1 }
		$0 !~ "^" name && /FAIL|panic|_test.go/ { print > "/dev/stderr"; failed = 1 }
		END { if (failed || !found) { print "bench-spec: " name " failed" > "/dev/stderr"; exit 1 } }'
}

echo "bench-spec: $turns turns of each" >&2
bench BenchmarkSpec "$turns" | awk -v turns="$turns" -v cores="$(nproc)" '
	{ metric[$1] = $2 }
	END {
		printf "%d cores, embedded driver, %d turns of each, medians\n", cores, turns
		printf "spec tier without csi-sanity: %d cases in %.2f s\n", metric["cases"], metric["tier-s"]
		printf "a case of the spec tier: %.2f ms; a spec of csi-sanity: %.2f ms; ratio %.2f (%.2f to %.2f)\n",
			metric["case-ms"], metric["csi-sanity-spec-ms"], metric["ratio"], metric["ratio-min"], metric["ratio-max"]
	}'
if [ "${SLOW:-1}" = 0 ]; then
	exit
fi
echo 'bench-spec: one turn with each number of segments' >&2
go test -run '^$' -bench '^BenchmarkSegments$' -benchtime 1x -timeout 2h ./e2e/cmd/csi-topo | awk '
	/^BenchmarkSegments/ {
		for (i = 3; i < NF; i += 2) metric[$(i + 1)] = $i
		split($1, name, /[\/-]/)
		printf "%3d segments: %.1f s, %.1f s of CPU, %d calls, %d volumes, %d MiB\n", name[2],
			metric["segments-s"], metric["cpu-s"], metric["calls"], metric["volumes"], metric["MiB"]
		found = 1
	}
	/FAIL|panic|_test.go/ { print > "/dev/stderr"; failed = 1 }
	END { if (failed || !found) { print "bench-spec: BenchmarkSegments failed" > "/dev/stderr"; exit 1 } }'
echo 'bench-spec: one turn with a driver that takes a second for each mutating call' >&2
bench BenchmarkSlowDriver 1 | awk '
	{ metric[$1] = $2 }
	END {
		printf "a second for each mutating call, 50 ms for others: %.0f s, %d volumes, %d calls\n",
			metric["slow-s"], metric["slow-volumes"], metric["slow-calls"]
		for (name in metric)
			if (name !~ /^slow-/) printf "  %s: %.0f s\n", substr(name, 1, length(name) - 2), metric[name]
	}'
