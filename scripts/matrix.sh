#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Prints the dimensions of the cluster matrix as outputs of a GitHub job: the layouts and the Kubernetes minors, as JSON.
set -euo pipefail
cd "$(dirname "$0")/.."

# list prints its arguments as a JSON list of their base names.
list() {
	local item separator=''
	printf '['
	for item in "$@"; do
		printf '%s"%s"' "$separator" "$(basename "$item")"
		separator=,
	done
	printf ']\n'
}

echo "kubernetes=$(list clusters/nodeimage/modules/kubernetes/v*.mod | sed -e 's/"v/"/g' -e 's/\.mod"/"/g')"
echo "layouts=$(list clusters/layout/*.yaml | sed 's/\.yaml"/"/g')"
