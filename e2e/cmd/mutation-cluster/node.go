// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// asAdmin is kubectl on the control plane.
const asAdmin = "kubectl --kubeconfig=/etc/kubernetes/admin.conf "

// onControlPlane runs a script on the cluster's control plane, with the input, and returns its output.
func (o *options) onControlPlane(ctx context.Context, script, input string) (string, error) {
	return o.onNode(ctx, o.name+"-control-plane", script, input)
}

// onNode runs a script on a node of the cluster.
func (o *options) onNode(ctx context.Context, node, script, input string) (string, error) {
	run := exec.CommandContext(ctx, "docker", "exec", "--interactive", node, "bash", "-ec", script)
	run.Env = append(os.Environ(), o.docker...)
	run.Stdin = strings.NewReader(input)
	var said, complained bytes.Buffer
	run.Stdout, run.Stderr = &said, &complained
	if err := run.Run(); err != nil {
		return "", fmt.Errorf("running a script on node %s: %w: %s", node, err, lastLine(complained.Bytes()))
	}
	return said.String(), nil
}

// nodes returns the names of the cluster's nodes.
func (o *options) nodes(ctx context.Context) ([]string, error) {
	said, err := o.onControlPlane(ctx, asAdmin+"get nodes --output=jsonpath={.items[*].metadata.name}", "")
	if err != nil {
		return nil, fmt.Errorf("looking for the cluster's nodes: %w", err)
	}
	return strings.Fields(said), nil
}

// kubeconfig returns the path of the kubeconfig that csi-topo uses for the cluster.
func (o *options) kubeconfig() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the cluster's kubeconfig: %w", err)
	}
	return filepath.Join(cache, "csi-topo", "clusters", o.name, "kubeconfig"), nil
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}
