#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Builds what a release consists of, for Linux on amd64 and arm64: an archive of the programs, a list of the modules in
# them (SBOM, CycloneDX), the pages of the requirements and of the ledger, and SHA256SUMS, in DIST. The same commit and
# Go version give the same bytes in any directory.
set -euo pipefail
cd "$(dirname "$0")/.."

dist=${DIST:-_dist}
programs=(./e2e/cmd/csi-topo ./e2e/cmd/csi-topo-sidecar ./driver/cmd/hostpath-topo)

# Modes and times in an archive are not those of this machine.
umask 022
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
version=$(git describe --tags --match 'v*' --always --dirty)
export SOURCE_DATE_EPOCH CGO_ENABLED=0 GOOS=linux GOFLAGS=-trimpath

rm -rf "$dist"
mkdir -p "$dist"
dist=$(cd "$dist" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

GOOS='' go build -o "$scratch/" ./scripts/sbom ./e2e/cmd/csi-topo ./e2e/cmd/ledger
"$scratch/csi-topo" requirements -o markdown >"$dist/requirements.md"
"$scratch/ledger" --markdown >"$dist/ledger.md"
for arch in amd64 arm64; do
	name=csi-topo_${version}_linux_$arch
	mkdir "$scratch/$name"
	echo "release: building $name"
	# With the commit and its version in them, which csi-topo version prints; -buildvcs=true fails where git has none.
	GOARCH=$arch go build -buildvcs=true -ldflags='-s -w' -o "$scratch/$name/" "${programs[@]}"
	cp LICENSE README.md "$scratch/$name/"
	"$scratch/sbom" "$scratch/$name"/{csi-topo,csi-topo-sidecar,hostpath-topo} >"$dist/$name.sbom.json"
	tar --create --directory "$scratch" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner \
		--mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip --no-name --best >"$dist/$name.tar.gz"
done
(cd "$dist" && sha256sum -- *.tar.gz *.sbom.json *.md >SHA256SUMS)
cat "$dist/SHA256SUMS"
