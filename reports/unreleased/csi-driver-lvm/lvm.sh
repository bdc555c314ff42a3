#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Stands in for the programs of LVM, by the name that it is called: a volume group is a directory of $VOLUME_GROUPS, and a
# logical volume is a sparse file in it with a loop device. Messages, status and units are those of LVM 2.03.16.
# It also stands in for lsblk, which asks udev for the file system of a device, where no udev runs.
set -euo pipefail

extent=$((4 << 20))
group_bytes=$((16 << 30))

# refuse MESSAGE ends as LVM does.
refuse() {
	echo "  $1" >&2
	exit 5
}

# used prints how many bytes of the group have a volume.
used() {
	local sum=0 size
	for size in $(stat --format %s "$VOLUME_GROUPS/$group"/*.img 2>/dev/null); do
		sum=$((sum + size))
	done
	echo "$sum"
}

whole_extents() { echo $((($1 + extent - 1) / extent * extent)); }

device() { losetup --noheadings --output NAME --associated "$file"; }

# grow lets the file system have the whole device, which need not be mounted.
grow() {
	local target
	if target=$(findmnt --noheadings --first-only --output TARGET --source "$(device)"); then
		xfs_growfs "$target"
		return
	fi
	target=$(mktemp --directory)
	mount "$(device)" "$target"
	xfs_growfs "$target"
	umount "$target"
	rmdir "$target"
}

size='' name='' names=() output='' json='' resize=''
program=${0##*/}
while [ $# -gt 0 ]; do
	case $1 in
	-L | -n | -o | -W | -y | --addtag | --units | --reportformat)
		case $program$1 in
		*-L) size=${2%b} ;;
		lvcreate-n) name=$2 ;;
		*-o) output=$2 ;;
		*--reportformat) json=1 ;;
		lvextend-n | lvremove-y) set -- "$1" "$@" ;; # These have no value.
		esac
		shift 2
		;;
	-r) resize=1 && shift ;;
	-*) shift ;;
	*) names+=("$1") && shift ;;
	esac
done

if [ "$program" = lsblk ]; then
	type=$(blkid -p -s TYPE -o value "${names[0]}") && type="\"$type\"" || type=null
	echo "{\"blockdevices\": [{\"fstype\": $type}]}"
	exit
fi
[ ${#names[@]} -gt 0 ] || exit 0 # vgscan and vgchange, which find what is there anyway

group=${names[0]%%/*}
mkdir -p "$VOLUME_GROUPS/$group" "/dev/$group"
exec 9>"$VOLUME_GROUPS/$group/lock"
flock 9

case $program in
vgs)
	if [ -n "$json" ]; then
		echo "{\"report\": [{\"vg\": [{\"vg_name\": \"$group\", \"vg_free\": \"$((group_bytes - $(used)))\"}]}]}"
	elif [ "$output" = pv_count ]; then
		echo '  1'
	else
		echo "  $group"
	fi
	exit
	;;
lvcreate) ;;
*) name=${names[0]#*/} ;;
esac

file=$VOLUME_GROUPS/$group/$name.img
case $name in
'' | .* | -* | *[!a-zA-Z0-9+_.-]*) refuse "Logical volume name \"$name\" is invalid." ;;
esac
[ ${#name} -le 127 ] || refuse "Logical volume name \"$name\" is too long."
if [ "$program" = lvcreate ]; then
	[ ! -e "$file" ] || refuse "Logical Volume \"$name\" already exists in volume group \"$group\""
else
	[ -e "$file" ] || refuse "Failed to find logical volume \"$group/$name\""
fi

case $program in
lvs) echo "  $name" ;;
lvcreate)
	bytes=$(whole_extents "$size") free=$((group_bytes - $(used)))
	[ "$bytes" -le "$free" ] || refuse "Volume group \"$group\" has insufficient free space ($((free / extent)) extents): $((bytes / extent)) required."
	truncate -s "$bytes" "$file"
	ln -s "$(losetup --find --show "$file")" "/dev/$group/$name"
	;;
lvextend)
	bytes=$(whole_extents "$size") was=$(stat -c %s "$file") free=$((group_bytes - $(used)))
	[ "$bytes" -ne "$was" ] || [ -n "$resize" ] || refuse "New size ($((bytes / extent)) extents) matches existing size ($((was / extent)) extents)."
	[ "$bytes" -ge "$was" ] || refuse "New size given ($((bytes / extent)) extents) not larger than existing size ($((was / extent)) extents)"
	[ $((bytes - was)) -le "$free" ] || refuse "Insufficient free space: $(((bytes - was) / extent)) extents needed, but only $((free / extent)) available"
	[ -z "$resize" ] || blkid -p "$(device)" >/dev/null || refuse 'Filesystem check failed.'
	truncate -s "$bytes" "$file"
	losetup --set-capacity "$(device)"
	[ -z "$resize" ] || grow
	;;
lvremove)
	! findmnt --source "$(device)" >/dev/null || refuse "Logical volume $group/$name contains a filesystem in use."
	losetup --detach "$(device)"
	rm "$file" "/dev/$group/$name"
	;;
esac
