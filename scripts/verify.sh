#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Checks that need no cluster: one line each with its seconds. Stops at the first that fails and shows what it printed.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# check NAME COMMAND... runs the command and says how it went. One that cannot be run here ends with this status.
skipped=77
check() {
	local name=$1 started=$SECONDS status=0
	shift
	printf '%-34s' "$name"
	# Not as the condition of an if: errexit would be off inside the command.
	set +e
	(
		set -e
		"$@"
	) >"$scratch/output" 2>&1
	status=$?
	set -e
	if [ "$status" -eq 0 ]; then
		printf ' ok   %4ds\n' $((SECONDS - started))
		return
	fi
	if [ "$status" -eq "$skipped" ]; then
		printf ' skip %4ds: %s\n' $((SECONDS - started)) "$(tail -n 1 "$scratch/output")"
		return
	fi
	printf ' FAIL %4ds\n' $((SECONDS - started))
	cat "$scratch/output"
	echo "verify: $name failed" >&2
	exit 1
}

tool() { go tool -modfile=tools.mod "$@"; }

# `go tool` keeps what it compiled, so that only the first run waits here.
compile_tools() {
	local name
	for name in golangci-lint actionlint shfmt addlicense; do
		tool -n "$name"
	done
}

need_shellcheck() {
	if command -v shellcheck; then
		return
	fi
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get; then
		echo "shellcheck is not installed: run 'sudo apt-get install shellcheck' (Debian, Ubuntu) or 'brew install shellcheck' (macOS)"
		return 1
	fi
	apt-get update
	DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install --yes --no-install-recommends shellcheck
}

# no_differences COMMAND... fails when the command has anything to say, whatever its exit status.
no_differences() {
	local differences
	differences=$("$@" 2>&1) || true
	if [ -n "$differences" ]; then
		echo "$differences"
		echo "to correct: make format"
		return 1
	fi
}

modules_tidy() {
	scripts/tidy.sh -diff || {
		printf '\nto correct: make tidy\n'
		return 1
	}
}

# A component's module is only resolved, which asks for go.mod files alone: tidying would download all of Kubernetes.
component_modules() {
	local file module
	for file in $(find clusters/nodeimage/modules -name '*.mod' | sort); do
		echo "$file"
		module=$(mktemp -d "$scratch/module.XXXXXX")
		cp "$file" "$module/go.mod"
		cp "${file%.mod}.sum" "$module/go.sum"
		GOFLAGS='' go -C "$module" list -mod=readonly -m all >"$scratch/modules"
	done
}

# govet is among the linters. The example of a vendor's module is one of its own, which `./...` leaves out.
lint() {
	local linter
	linter=$(tool -n golangci-lint)
	"$linter" run ./...
	(cd e2e/example && "$linter" run ./...)
}

# each_script COMMAND... runs the command with the name of every shell script of the repository.
each_script() { git ls-files -co --exclude-standard -z -- '*.sh' .ci/run | xargs -0 "$@"; }

actions_pinned() {
	local loose
	loose=$(grep -rnE '^\s*(- )?uses:' .github | grep -vE 'uses: (\./|[^@]+@[0-9a-f]{40} # v[0-9])' || true)
	if [ -n "$loose" ]; then
		echo "$loose"
		echo "to correct: pin the action by its full commit, with its version in a comment: owner/name@<40 hex digits> # v1.2.3"
		return 1
	fi
}

# Every module is one that Dependabot updates, but for those of which the file has another name, which it does not know.
dependabot_complete() {
	local file dir
	git ls-files -co --exclude-standard -- '*go.mod' '*package.json' | while read -r file; do
		dir=/$(dirname "$file")
		[ "$dir" != /. ] || dir=/
		grep -qE "^ *(- |directory: )$dir\$" .github/dependabot.yml || {
			echo ".github/dependabot.yml does not name $dir, where $file is: add it to the directories of its ecosystem"
			return 1
		}
	done
}

check 'tools (compiled once: a minute)' compile_tools
check 'shellcheck is installed' need_shellcheck
check 'go.mod files are tidy' modules_tidy
check 'component modules are complete' component_modules
check 'Go format' no_differences "$(go env GOROOT)/bin/gofmt" -l -s .
check 'golangci-lint' lint
check 'shell format' no_differences each_script go tool -modfile=tools.mod shfmt -d
check 'shellcheck' each_script shellcheck
check 'licence headers' no_differences scripts/license-headers.sh -check
check 'actionlint' tool actionlint
check 'actions pinned by commit' actions_pinned
check 'Dependabot knows every module' dependabot_complete
check 'report page in a browser' scripts/test-page.sh
echo "verify: all checks passed in ${SECONDS}s"
