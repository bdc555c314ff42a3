#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# serve.sh DIRECTORY COMMAND... serves the driver's controller and two nodes in DIRECTORY, and the S3 that they use, while
# the command runs, and ends with its status. What ends of the driver is started again, as the kubelet does. S3DRIVER is
# the driver's program, FAKES3 that of this directory; geesefs is on PATH.
# Run it under "unshare --mount": nothing that is mounted is seen outside, and nothing is left.
set -euo pipefail
directory=$1
shift
services=(controller node-a node-b)

mkdir -p "$directory"
rm -f "$directory"/*.sock "$directory"/*.pid
"$FAKES3" >"$directory/s3.log" 2>&1 &
s3=$!

# keep NAME runs the driver, and runs it again when it ends.
keep() {
	while true; do
		"$S3DRIVER" --endpoint "unix://$directory/$1.sock" --nodeid "$1" --v=4 >>"$directory/$1.log" 2>&1 &
		echo $! >"$directory/$1.pid"
		wait $! 2>/dev/null || true
	done
}

keepers=()
for name in "${services[@]}"; do
	keep "$name" &
	keepers+=($!)
done
stop() {
	kill "${keepers[@]}"
	cat "$directory"/*.pid | xargs kill
	# GeeseFS ends with its mount. There may be none.
	(findmnt --noheadings --list --output TARGET --types fuse.geesefs || true) | xargs --no-run-if-empty umount --lazy
	kill "$s3"
}
trap stop EXIT

for name in "${services[@]}"; do
	until [ -S "$directory/$name.sock" ]; do sleep 0.1; done
done
"$@"
