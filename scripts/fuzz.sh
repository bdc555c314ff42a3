#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Fuzzes every RPC of the driver, and the suite's oracle, one after the other, for FUZZTIME each, and says how many inputs
# each was given. FOCUS, a regular expression, picks those whose name has it.
set -euo pipefail
cd "$(dirname "$0")/.."
fuzztime=${FUZZTIME:-10s}
packages=(driver/hostile e2e/model)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# ran_out_of_time FILE tells whether the fuzzer, of which this is the output, failed of nothing but its own deadline: Go
# at times reports that as a failure (https://go.dev/issue/48591), without an input that would show one.
ran_out_of_time() {
	grep -q '^ *context deadline exceeded$' "$1" &&
		! grep -v -e '^fuzz: ' -e '^--- FAIL: Fuzz' -e '^ *context deadline exceeded$' -e '^FAIL$' -e '^ *$' "$1" | grep -q .
}

# fuzz PACKAGE TARGET runs one fuzz target in its package's directory, where it keeps what it finds.
fuzz() {
	local package=$1 target=$2 status=0 given
	# The fuzzer would spend up to a minute on making an input shorter that showed something new.
	(cd "$package" && "$scratch/test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$fuzztime" \
		-test.fuzzminimizetime 20x -test.fuzzcachedir "$cache/$package") >"$scratch/output" 2>&1 || status=$?
	given=$(grep -o 'execs: [0-9]*' "$scratch/output" | tail -n 1 | grep -o '[0-9]*' || true)
	printf '%-34s %9d inputs\n' "$target" "${given:-0}"
	total=$((total + ${given:-0}))
	if [ "$status" -ne 0 ] && ! ran_out_of_time "$scratch/output"; then
		grep -v '^fuzz: elapsed' "$scratch/output"
		failed+=("$package: $target")
	fi
}

echo 'fuzz: compiling, with what the fuzzer needs; the first time takes some minutes'
cache=$(go env GOCACHE)/fuzz/github.com/csi-topo/csi-topo
failed=()
found=0
total=0
for package in "${packages[@]}"; do
	# One binary for all targets of a package, which go test would link anew for each.
	go test -c -fuzz=Fuzz -o "$scratch/test" "./$package"
	for target in $("$scratch/test" -test.list "^Fuzz.*${FOCUS:-}" | grep '^Fuzz' || true); do
		found=$((found + 1))
		fuzz "$package" "$target"
	done
done
if [ "$found" -eq 0 ]; then
	echo "fuzz: nothing to fuzz has a name that FOCUS, '${FOCUS:-}', matches" >&2
	exit 1
fi
echo "fuzz: $total inputs in ${SECONDS}s"
if [ ${#failed[@]} -gt 0 ]; then
	printf 'fuzz: failed: %s\n' "${failed[@]}" >&2
	echo 'fuzz: what shows it is in testdata/fuzz of the package: keep it, go test runs it' >&2
	exit 1
fi
