#!/usr/bin/env bash
# Checks that .ci/run runs the commands of the README's section "Run it" and no others, and that every make target the
# README and CONTRIBUTING show exists.
set -euo pipefail
cd "$(dirname "$0")/.."

# fenced FILE [SECTION] prints the commands of a file's sh blocks, without comments.
fenced() {
	awk -v section="${2:-}" '
		/^## / { inside = ($0 == "## " section) }
		/^```/ { block = !block && /^```sh$/; next }
		block && (section == "" || inside) { sub(/ *#.*/, ""); if ($0 != "") print }' "$1"
}

wanted=$(fenced README.md 'Run it' | sort)
found=$(grep '^make ' .ci/run | sort)
if [ -z "$wanted" ] || [ "$wanted" != "$found" ]; then
	printf 'README.md, section "Run it", shows:\n%s\n.ci/run runs:\n%s\n' "$wanted" "$found"
	exit 1
fi

for target in $(fenced README.md | cat - <(fenced CONTRIBUTING.md) | tr ' ' '\n' | grep -A1 -x make | grep -vxE -e '--|make'); do
	if ! grep -qE "^$target:" Makefile; then
		echo "a command names make $target, which the Makefile does not have"
		exit 1
	fi
done
