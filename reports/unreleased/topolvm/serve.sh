#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# serve.sh DIRECTORY COMMAND... serves the driver's controller and four nodes in DIRECTORY while the command runs, and ends
# with its status. TOPOLVM_TEST is the test of server_test.go.txt, compiled.
# Run it under "unshare --mount": nothing that is mounted is seen outside, and nothing is left.
set -euo pipefail
directory=$1
shift

mkdir -p "$directory"
rm -f "$directory"/*.sock
SOCKETS=$directory "$TOPOLVM_TEST" -test.run '^TestServe$' -test.timeout 0 >"$directory/log" 2>&1 &
server=$!
stop() {
	kill "$server"
	wait "$server" || true
	losetup --noheadings --output NAME,BACK-FILE | while read -r device file; do
		case $file in "$directory"/*) losetup --detach "$device" ;; esac
	done
}
trap stop EXIT

for name in controller node-a node-b node-c node-d; do
	until [ -S "$directory/$name.sock" ]; do sleep 0.1; done
done
"$@"
