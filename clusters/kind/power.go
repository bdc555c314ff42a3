// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"sigs.k8s.io/kind/pkg/cluster/constants"
	"sigs.k8s.io/kind/pkg/cluster/nodes"
)

// powerOff kills everything that a node runs for Kubernetes, without any notice, and unmounts the mounts of pods. Data
// that a volume's last writer has not synced may still be written. The node's container goes on, so that its address,
// devices and routes are the same when it is started again.
const powerOff = `
systemctl stop kubelet containerd
alive() {
	grep -ls kubepods /proc/[0-9]*/cgroup | cut -d/ -f3
	pgrep containerd-shim
}
for _ in $(seq 100); do
	left=$(alive)
	[ -n "$left" ] || break
	kill -9 $left 2>/dev/null
	sleep 0.1
done
[ -z "$left" ] || { echo "still running: $left" >&2; exit 1; }
awk '$5 ~ "^/var/lib/kubelet/" { print $5 }' /proc/self/mountinfo | tac | while read -r mounted; do
	umount "$mounted" || exit 1
done
`

const powerOn = `systemctl start containerd kubelet`

// StopNode stops a worker as a loss of power does: nothing runs or is mounted there any longer, and the API server gets no
// notice. It leaves a stopped node as it is.
func (c *Cluster) StopNode(ctx context.Context, name string) error {
	return c.onWorker(ctx, name, "stopping", powerOff)
}

// StartNode starts a worker again that StopNode has stopped. It does not wait for the
// node to be ready.
func (c *Cluster) StartNode(ctx context.Context, name string) error {
	return c.onWorker(ctx, name, "starting", powerOn)
}

// RestartKubelet restarts the kubelet of a worker; its pods go on.
func (c *Cluster) RestartKubelet(ctx context.Context, name string) error {
	return c.onWorker(ctx, name, "restarting the kubelet of", `systemctl restart kubelet`)
}

func (c *Cluster) onWorker(ctx context.Context, name, doing, script string) error {
	list, err := c.Nodes()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(list, func(node nodes.Node) bool { return node.String() == name })
	if at < 0 {
		return fmt.Errorf("%s node %s: kind cluster %s has no node of this name", doing, name, c.options.Name)
	}
	role, err := list[at].Role()
	if err != nil {
		return fmt.Errorf("%s node %s: finding its role: %w", doing, name, err)
	}
	if role != constants.WorkerNodeRoleValue {
		return fmt.Errorf("%s node %s: want a worker, found a node of role %s", doing, name, role)
	}
	var stderr bytes.Buffer
	if err := list[at].CommandContext(ctx, "sh", "-c", script).SetStderr(&stderr).Run(); err != nil {
		return fmt.Errorf("%s node %s: %w: %s", doing, name, err, bytes.TrimSpace(stderr.Bytes()))
	}
	return nil
}
