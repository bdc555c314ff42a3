#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# serve.sh DIRECTORY COMMAND... serves the driver's controller and its node plugin of four nodes in DIRECTORY while the
# command runs, and ends with its status. What ends of the driver is started again, as the kubelet does. HOSTPATH_TOPO is the
# driver's program, and NODES the one of main.go.
# Run it under "unshare --mount": nothing that is mounted is seen outside, and nothing is left.
set -euo pipefail
directory=$1
shift
names=(node-a node-b node-c node-d)

mkdir -p "$directory/data"
rm -f "$directory"/*.sock "$directory"/*.pid

# A file system that copies a file in one moment, as a driver with snapshots needs. Only what is written takes room.
truncate --size 64G "$directory/disk"
mkfs.xfs -q -f "$directory/disk"
mount -o loop "$directory/disk" "$directory/data"

cat >"$directory/kubeconfig" <<'KUBECONFIG'
apiVersion: v1
kind: Config
current-context: nodes
contexts: [{name: nodes, context: {cluster: nodes}}]
clusters: [{name: nodes, cluster: {server: "http://127.0.0.1:9098"}}]
KUBECONFIG
cat >"$directory/config.yaml" <<'CONFIG'
apiVersion: hostpath.topo.csi/v1alpha1
kind: DriverConfiguration
pools: [{capacity: 8Gi}]
CONFIG
"$NODES" &
api=$!

# keep NAME ARGUMENT... runs a plugin with the arguments, and runs it again when it ends.
keep() {
	local name=$1
	shift
	while true; do
		"$HOSTPATH_TOPO" "$@" --endpoint="unix://$directory/$name.sock" --data-dir="$directory/data" \
			--kubeconfig="$directory/kubeconfig" --config="$directory/config.yaml" >>"$directory/$name.log" 2>&1 &
		echo $! >"$directory/$name.pid"
		wait $! 2>/dev/null || true
	done
}

keep controller controller &
keepers=($!)
for node in "${names[@]}"; do
	keep "$node" node --node-name="$node" --state-dir="$directory/$node" &
	keepers+=($!)
done
stop() {
	kill "${keepers[@]}"
	cat "$directory"/*.pid | xargs kill "$api"
}
trap stop EXIT

for name in controller "${names[@]}"; do
	until [ -S "$directory/$name.sock" ]; do sleep 0.1; done
done
"$@"
