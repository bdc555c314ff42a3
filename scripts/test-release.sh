#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Builds the release of this commit in two directories, and fails if one byte differs, or if a program does not say which
# version it is.
set -euo pipefail
cd "$(dirname "$0")/.."

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for place in here "another directory"; do
	git clone --quiet . "$dir/$place"
	DIST="$dir/$place/_dist" "$dir/$place/scripts/release.sh"
done
diff -r "$dir/here/_dist" "$dir/another directory/_dist"

case $(uname -m) in
x86_64) arch=amd64 ;;
aarch64) arch=arm64 ;;
*) arch=none ;;
esac
for archive in "$dir/here/_dist"/*_linux_"$arch".tar.gz; do
	[ -e "$archive" ] || continue
	tar --extract --file "$archive" --directory "$dir" --strip-components=1
	"$dir/csi-topo" version | tee "$dir/version"
	grep -q "commit $(git rev-parse HEAD)$" "$dir/version"
done
echo "test-release: twice the same bytes, in ${SECONDS}s"
