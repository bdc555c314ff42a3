#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# serve.sh DIRECTORY COMMAND... serves the driver's controller and two nodes in DIRECTORY while the command runs, and ends
# with its status. What ends of the driver is started again, as the kubelet does. NFSPLUGIN is the driver's program.
# Run it under "unshare --mount": nothing that is mounted is seen outside, and nothing is left.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=$1
shift

mkdir -p "$directory/bin" "$directory/exports"
rm -f "$directory"/*.sock "$directory"/*.pid
ln -sf "$here/mount.sh" "$directory/bin/mount"
# A file system of its own, so that what is bound from it has another device number than what it is bound to.
mount -t tmpfs -o size=2g exports "$directory/exports"
mkdir "$directory/exports/share" "$directory/exports/other"

# keep NAME runs the driver, and runs it again when it ends.
keep() {
	mkdir -p "$directory/work/$1"
	while true; do
		EXPORTS=$directory/exports PATH=$directory/bin:$PATH "$NFSPLUGIN" --endpoint "unix://$directory/$1.sock" \
			--nodeid "$1" --working-mount-dir "$directory/work/$1" >>"$directory/$1.log" 2>&1 &
		echo $! >"$directory/$1.pid"
		wait $! 2>/dev/null || true
	done
}

keepers=()
for name in controller node-a node-b; do
	keep "$name" &
	keepers+=($!)
done
stop() {
	kill "${keepers[@]}"
	cat "$directory"/*.pid | xargs kill
}
trap stop EXIT

for name in controller node-a node-b; do
	until [ -S "$directory/$name.sock" ]; do sleep 0.1; done
done
"$@"
