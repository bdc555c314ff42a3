#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Prints what CHANGELOG.md says of a version, which the manifests for users have to name too: release-notes.sh v1.2.3
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:?want a version, such as v1.2.3}
notes=$(awk -v heading="## [${version#v}]" '
	/^## / { inside = (index($0, heading) == 1); next }
	inside' CHANGELOG.md)
if [ -z "${notes//[[:space:]]/}" ]; then
	echo "CHANGELOG.md says nothing of ${version#v}: want a section '## [${version#v}] - DATE' with what changed" >&2
	exit 1
fi
manifests=fixtures/driver/standalone/kustomization.yaml
if ! grep -qx " *newTag: $version" "$manifests"; then
	echo "$manifests has the driver's image of another release: want 'newTag: $version'" >&2
	exit 1
fi
echo "$notes"
