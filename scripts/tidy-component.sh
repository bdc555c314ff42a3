#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Brings a component's module to the versions that it asks for, as go mod tidy does: a name below clusters/nodeimage/modules,
# such as sidecars. With more arguments it runs another go command there first: sidecars get -tool module@version.
# Downloads the component's sources.
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:?give the name of a component, such as sidecars}
shift
module=clusters/nodeimage/modules/$name
alone=$(mktemp -d)
trap 'rm -rf "$alone"' EXIT
cp "$module.mod" "$alone/go.mod"
cp "$module.sum" "$alone/go.sum"
if [ $# -gt 0 ]; then
	go -C "$alone" "$@"
fi
go -C "$alone" mod tidy
cp "$alone/go.mod" "$module.mod"
cp "$alone/go.sum" "$module.sum"
