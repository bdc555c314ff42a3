#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# serve.sh DIRECTORY COMMAND... serves the driver of two nodes in DIRECTORY while the command runs, and ends with its
# status. What ends of the driver is started again, as the kubelet does. DEMOCRATIC_CSI_ROOT is the driver's checkout.
# Run it under "unshare --mount": nothing that is mounted is seen outside, and nothing is left.
set -euo pipefail
directory=$1
shift
nodes=(node-a node-b)

mkdir -p "$directory"
rm -f "$directory"/*.sock "$directory"/*.pid

# configure NODE writes the driver's configuration: that of its examples/local-hostpath.yaml with a directory of the node.
configure() {
	mkdir -p "$directory/$1"
	cat >"$directory/$1.yaml" <<-EOF
		driver: local-hostpath
		instance_id:
		local-hostpath:
		  shareBasePath: $directory/$1
		  controllerBasePath: $directory/$1
		  dirPermissionsMode: "0777"
		  dirPermissionsUser: 0
		  dirPermissionsGroup: 0
		  snapshots:
		    default_driver: filecopy
	EOF
}

# keep NODE runs the driver of a node, and runs it again when it ends.
keep() {
	while true; do
		CSI_NODE_ID=$1 node --expose-gc "$DEMOCRATIC_CSI_ROOT/bin/democratic-csi" --driver-config-file "$directory/$1.yaml" \
			--log-level info --csi-version 1.5.0 --csi-name org.democratic-csi.local-hostpath \
			--server-socket "$directory/$1.sock" >>"$directory/$1.log" 2>&1 &
		echo $! >"$directory/$1.pid"
		wait $! 2>/dev/null || true
	done
}

keepers=()
for node in "${nodes[@]}"; do
	configure "$node"
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
