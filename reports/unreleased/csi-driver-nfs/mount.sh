#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Stands in for mount on the driver's PATH: with "-t nfs" it binds a directory of $EXPORTS, and so it is the NFS server
# and its client in one. Everything else goes to the real mount.
set -euo pipefail

mount=/usr/bin/mount
real=("$@") type='' options='' paths=()
while [ $# -gt 0 ]; do
	case $1 in
	-t) type=$2 && shift 2 ;;
	-o) options=$2 && shift 2 ;;
	-*) shift ;;
	*) paths+=("$1") && shift ;;
	esac
done
[ "$type" = nfs ] || exec "$mount" "${real[@]}"
source=${paths[0]} target=${paths[1]}

# refuse MESSAGE ends as mount.nfs does.
refuse() {
	echo "mount.nfs: $1" >&2
	exit 32
}

case $source in
nfs.example:/*) directory=$EXPORTS/${source#nfs.example:/} ;;
*) refuse "Failed to resolve server ${source%%:*}: Name or service not known" ;;
esac
[ -d "$directory" ] || refuse "mounting $source failed, reason given by server: No such file or directory"

# The kernel takes these from any mount; the rest are for the NFS client, and mean nothing here.
kept=()
IFS=, read -ra wanted <<<"$options"
for option in "${wanted[@]}"; do
	case $option in
	ro | rw | noexec | exec | nosuid | suid | nodev | dev | noatime | nodiratime | relatime) kept+=("$option") ;;
	hard | soft | nolock | lock | nfsvers=* | vers=* | timeo=* | retrans=* | rsize=* | wsize=* | proto=* | sec=*) ;;
	*) refuse 'an incorrect mount option was specified' ;;
	esac
done

"$mount" --bind "$directory" "$target"
if [ ${#kept[@]} -gt 0 ]; then
	"$mount" -o "remount,bind,$(
		IFS=,
		echo "${kept[*]}"
	)" "$target"
fi
