#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Checks what the READMEs, CONTRIBUTING and docs say can be run and read: that .ci/run runs the commands of the README's
# section "Run it" and no others; that every make target and setting, Go package and test that a command names exists;
# that every link leads to a file; and that the driver's README leads to every package of the driver.
set -euo pipefail
cd "$(dirname "$0")/.."

documents=(README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md driver/README.md docs/air-gapped.md docs/guide.md docs/profile.md docs/proof.md docs/requirements.md docs/stability.md docs/troubleshooting.md)

# fenced FILE [SECTION] prints the commands of a file's sh blocks, without comments.
fenced() {
	awk -v section="${2:-}" '
		/^## / { inside = ($0 == "## " section) }
		/^```/ { block = !block && /^```sh$/; next }
		block && (section == "" || inside) { sub(/ *#.*/, ""); if ($0 != "") print }' "$1"
}

# inline FILE prints the commands in the text of a file: `make test`, `go test ./driver/sanity`.
inline() { grep -oE "\`(make|go test)( [^\`]*)?\`" "$1" | tr -d '`' || true; }

# links FILE prints the files that a file links to, as it names them.
links() { grep -oE '\]\([^)]+\)' "$1" | sed -E 's/^\]\(//; s/(#.*)?\)$//' | grep -vE '^$|^https?:' || true; }

wrong() {
	echo "$1 names $2, and $3" >&2
	exit 1
}

# check_make FILE WORD... checks the words behind make.
check_make() {
	local file=$1 word
	shift
	for word in "$@"; do
		case $word in
		*=*) grep -qF "\$(${word%%=*})" Makefile || wrong "$file" "${word%%=*}=" 'nothing in the Makefile reads that' ;;
		*) grep -qE "^$word:" Makefile || wrong "$file" "make $word" 'the Makefile has no such target' ;;
		esac
	done
}

# check_go_test FILE WORD... checks the words behind go test.
check_go_test() {
	local file=$1 tests=. packages=()
	shift
	while [ $# -gt 0 ]; do
		case $1 in
		-run | -bench | -fuzz)
			tests=${2%%/*} # a subtest is not listed
			shift
			;;
		-*) ;;
		*) packages+=("$1") ;;
		esac
		shift
	done
	go list "${packages[@]}" >/dev/null || wrong "$file" "go test ${packages[*]}" 'there is no such package'
	go test -list "$tests" "${packages[@]}" | grep -E '^(Test|Benchmark|Fuzz|Example)' >/dev/null ||
		wrong "$file" "tests '$tests' of ${packages[*]}" 'there are none'
}

wanted=$(fenced README.md 'Run it' | sort)
found=$(grep '^make ' .ci/run | sort)
if [ -z "$wanted" ] || [ "$wanted" != "$found" ]; then
	printf 'README.md, section "Run it", shows:\n%s\n.ci/run runs:\n%s\n' "$wanted" "$found"
	exit 1
fi

for document in "${documents[@]}"; do
	while read -ra command; do
		case "${command[*]}" in
		make*) check_make "$document" "${command[@]:1}" ;;
		'go test'*) check_go_test "$document" "${command[@]:2}" ;;
		'go run ./e2e/cmd/csi-topo'*) ;; # TestReadmeCommands of e2e/cmd/csi-topo runs those
		csi-topo* | 'go install'*) ;;    # TestGuide does, and TestInstalledAtAVersion
		*) wrong "$document" "'${command[*]}'" 'this check knows only make, go test, go install and csi-topo' ;;
		esac
	done < <(fenced "$document" && inline "$document")
done
for document in "${documents[@]}" docs/ten-minutes.md; do # scripts/ten-minutes.sh runs that one's commands
	while read -r link; do
		[ -e "$(dirname "$document")/$link" ] || wrong "$document" "$link" 'there is no such file'
	done < <(links "$document")
done

for package in $(go list -f '{{.Dir}}' ./driver/... | sed "s|^$PWD/driver/||"); do
	links driver/README.md | grep -qE "^$package(/|\$)" || wrong 'no link of driver/README.md' "driver/$package" 'it should say what that is for'
done
