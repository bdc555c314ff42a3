#!/usr/bin/env bash
# Fuzzes every RPC of the driver, one after the other, for FUZZTIME each, and says how many requests each was sent.
# FOCUS, a regular expression, picks those whose name has it.
set -euo pipefail
cd "$(dirname "$0")/../driver/hostile"
fuzztime=${FUZZTIME:-10s}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo 'fuzz: compiling, with what the fuzzer needs; the first time takes some minutes'
# One binary for all, which go test would link anew for each.
go test -c -fuzz=Fuzz -o "$scratch/hostile.test" .
found=$(go env GOCACHE)/fuzz/github.com/csi-topo/csi-topo/driver/hostile

targets=$("$scratch/hostile.test" -test.list "^Fuzz.*${FOCUS:-}" | grep '^Fuzz' || true)
if [ -z "$targets" ]; then
	echo "fuzz: no RPC has a name that FOCUS, '${FOCUS:-}', matches" >&2
	exit 1
fi
failed=()
total=0
for target in $targets; do
	status=0
	# The fuzzer would spend up to a minute on making an input shorter that showed something new.
	"$scratch/hostile.test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$fuzztime" \
		-test.fuzzminimizetime 20x -test.fuzzcachedir "$found" >"$scratch/output" 2>&1 || status=$?
	sent=$(grep -o 'execs: [0-9]*' "$scratch/output" | tail -n 1 | grep -o '[0-9]*' || true)
	printf '%-34s %9d requests\n' "$target" "${sent:-0}"
	total=$((total + ${sent:-0}))
	if [ "$status" -ne 0 ]; then
		grep -v '^fuzz: elapsed' "$scratch/output"
		failed+=("$target")
	fi
done
echo "fuzz: $total requests in ${SECONDS}s"
if [ ${#failed[@]} -gt 0 ]; then
	echo "fuzz: failed: ${failed[*]}; what shows it is in driver/hostile/testdata/fuzz: keep it, go test runs it" >&2
	exit 1
fi
