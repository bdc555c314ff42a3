#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# serve.sh DIRECTORY COMMAND... serves the driver of two nodes in DIRECTORY while the command runs, and ends with its
# status. What ends of the driver is started again, as the kubelet does. LVMPLUGIN is the driver's program.
# Run it under "unshare --mount": nothing that is mounted is seen outside, and nothing is left.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=$1
shift
nodes=(node-a node-b)

mkdir -p "$directory/bin"
rm -f "$directory"/*.sock "$directory"/*.pid
for program in vgs vgscan vgchange vgcreate lvs lvcreate lvextend lvremove lsblk; do
	ln -sf "$here/lvm.sh" "$directory/bin/$program"
done

# keep NODE runs the driver of a node, and runs it again when it ends. Each node has a volume group of its own.
keep() {
	while true; do
		VOLUME_GROUPS=$directory/groups PATH=$directory/bin:$PATH "$LVMPLUGIN" --endpoint "$directory/$1.sock" \
			--nodeid "$1" --vgname "csi-topo-$1" --log-level debug >>"$directory/$1.log" 2>&1 &
		echo $! >"$directory/$1.pid"
		wait $! 2>/dev/null || true
	done
}

keepers=()
for node in "${nodes[@]}"; do
	keep "$node" &
	keepers+=($!)
done
stop() {
	kill "${keepers[@]}"
	cat "$directory"/*.pid | xargs kill -INT
	rm -rf /dev/csi-topo-node-a /dev/csi-topo-node-b
	losetup --noheadings --output NAME,BACK-FILE | while read -r device file; do
		case $file in "$directory"/*) losetup --detach "$device" ;; esac
	done
}
trap stop EXIT

for node in "${nodes[@]}"; do
	until [ -S "$directory/$node.sock" ]; do sleep 0.1; done
done
"$@"
