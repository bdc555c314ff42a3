#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Opens report pages, and the page that compares drivers, in a headless Chromium: no message on the console, no violation
# that axe knows, and filters, keys, links, phone and print work. Installs what that takes on Debian or Ubuntu as root;
# where it can not be had, says so and ends with status 77, which is no failure.
#   SCREENSHOTS=DIR keeps the pages and pictures of them
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
	echo "test-page: skipped: $1"
	exit 77
}

# first_of COMMAND... prints the path of the first that is installed.
first_of() {
	local name
	for name in "$@"; do
		if command -v "$name"; then return; fi
	done
	return 1
}

installed=
# need PACKAGE COMMAND... installs the package where none of the commands is there.
need() {
	local package=$1
	shift
	if first_of "$@" >/dev/null; then return; fi
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		skip "$1 is not installed: run 'sudo apt-get install $package' (Debian), or install it otherwise"
	fi
	if [ -z "$installed" ]; then
		apt-get update
		installed=yes
	fi
	DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install --yes --no-install-recommends "$package" ||
		skip "$package could not be installed"
}

need chromium chromium google-chrome chromium-browser
need nodejs node
need npm npm

# What a package-lock.json names stays until that changes.
modules=e2e/report/page/browser
if ! cmp -s "$modules/package-lock.json" "$modules/node_modules/.installed"; then
	npm ci --prefix "$modules" --no-audit --no-fund --ignore-scripts || skip 'npm could not install playwright-core and axe-core'
	cp "$modules/package-lock.json" "$modules/node_modules/.installed"
fi

CSI_TOPO_TEST_BROWSER=$(first_of chromium google-chrome chromium-browser)
export CSI_TOPO_TEST_BROWSER
go test -count=1 -v -run 'TestReportPagesInABrowser|TestComparisonInABrowser' ./e2e/cmd/csi-topo
