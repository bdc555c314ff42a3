# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0

# need_filesystems NAME installs the programs of the file systems that volumes have, as root on Debian or Ubuntu; NAME is who asks.
need_filesystems() {
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null || command -v mkfs.xfs >/dev/null && command -v mkfs.ext4 >/dev/null; then
		return
	fi
	local log
	log=$(mktemp)
	echo "$1: installing xfsprogs and e2fsprogs"
	if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install \
		--yes --no-install-recommends xfsprogs e2fsprogs; } >"$log" 2>&1; then
		cat "$log" >&2
		echo "$1: they could not be installed; what needs them is left out" >&2
	fi
	rm -f "$log"
}
