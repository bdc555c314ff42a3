#!/usr/bin/env bash
# Runs the spec tier and csi-sanity in turn against the embedded driver, and prints how long the tier takes, and what a
# case of it costs beside a spec of csi-sanity. TURNS is how many times each gets its turn.
set -euo pipefail
cd "$(dirname "$0")/.."

turns=${TURNS:-15}
echo "bench-spec: $turns turns of each" >&2
go test -run '^$' -bench '^BenchmarkSpec$' -benchtime "${turns}x" -timeout 1h ./e2e/cmd/csi-topo | awk -v turns="$turns" -v cores="$(nproc)" '
	/^BenchmarkSpec/ { for (i = 3; i < NF; i += 2) metric[$(i + 1)] = $i; found = 1 }
	!/^BenchmarkSpec/ && /FAIL|panic|bench_test/ { print; failed = 1 }
	END {
		if (failed || !found) { print "bench-spec: the benchmark failed" > "/dev/stderr"; exit 1 }
		printf "%d cores, embedded driver, %d turns of each, medians\n", cores, turns
		printf "spec tier without csi-sanity: %d cases in %.2f s\n", metric["cases"], metric["tier-s"]
		printf "a case of the spec tier: %.2f ms; a spec of csi-sanity: %.2f ms; ratio %.2f (%.2f to %.2f)\n",
			metric["case-ms"], metric["csi-sanity-spec-ms"], metric["ratio"], metric["ratio-min"], metric["ratio-max"]
	}'
