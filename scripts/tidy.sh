#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Tidies go.mod, those of the example of a vendor's module and of Kubernetes' suite, and tools.mod. With -diff it changes nothing, says what it would change, and fails if that is anything.
set -euo pipefail
cd "$(dirname "$0")/.."

go mod tidy "$@"
go -C e2e/example mod tidy "$@"
go -C e2e/mutation/kubernetes mod tidy "$@"

# tools.mod is tidied alone: beside the repository's packages it would be given their dependencies too.
alone=$(mktemp -d)
trap 'rm -rf "$alone"' EXIT
cp tools.mod "$alone/go.mod"
cp tools.sum "$alone/go.sum"
go -C "$alone" mod tidy "$@"
if [ "${1:-}" != -diff ]; then
	cp "$alone/go.mod" tools.mod
	cp "$alone/go.sum" tools.sum
fi
