#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Puts the licence of the repository at the top of every Go file and script that lacks it. With -check it changes nothing,
# names these files, and fails if there are any.
set -euo pipefail
cd "$(dirname "$0")/.."

git ls-files -co --exclude-standard -z -- '*.go' '*.sh' | xargs -0 go tool -modfile=tools.mod addlicense -s=only -c '' -y '' "$@"
