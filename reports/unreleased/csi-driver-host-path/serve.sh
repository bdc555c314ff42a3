#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# serve.sh DIRECTORY COMMAND... serves the driver of four nodes in DIRECTORY while the command runs, and ends with its
# status. What ends of the driver is started again, as the kubelet does. HOSTPATHPLUGIN is the driver's program.
# Run it under "unshare --mount": nothing that is mounted is seen outside, and nothing is left.
set -euo pipefail
directory=$1
shift
nodes=(node-a node-b node-c node-d)

mkdir -p "$directory"
rm -f "$directory"/*.sock "$directory"/*.pid

# keep NODE runs the driver of a node, with the flags of its deploy/kubernetes-distributed, and runs it again when it ends.
keep() {
	while true; do
		"$HOSTPATHPLUGIN" --drivername=hostpath.csi.k8s.io --v=5 --endpoint="unix://$directory/$1.sock" --nodeid="$1" \
			--capacity=slow=10Gi --capacity=fast=100Gi --statedir="$directory/$1" >>"$directory/$1.log" 2>&1 &
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
	cat "$directory"/*.pid | xargs kill
}
trap stop EXIT

for node in "${nodes[@]}"; do
	until [ -S "$directory/$node.sock" ]; do sleep 0.1; done
done
"$@"
