// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/connections"
	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Rules are rules for the recording proxies in front of the driver's controllers and node plugins, and flags of
// csi-provisioner.
type Rules struct {
	Controller []trace.Rule `json:"controller,omitempty"`
	Node       []trace.Rule `json:"node,omitempty"`
	// Provisioner are flags that a case's own csi-provisioner gets after the case's flags.
	Provisioner []string `json:"provisioner,omitempty"`
}

// Inject activates the rules in all recording proxies of the driver, and returns a function that removes them. To
// Kubernetes, the driver is then faulty, which cases must detect; the suite's own calls reach the driver unchanged. If a
// proxy that a rule needs is missing, no rule is activated. Provisioners that cases start later get the flags, which make
// them faulty.
func (t *Target) Inject(ctx context.Context, rules Rules) (takeBack func(context.Context) error, err error) {
	t.ProvisionerFlags = rules.Provisioner
	added := []func(context.Context) error{func(context.Context) error {
		t.ProvisionerFlags = nil
		return nil
	}}
	takeBack = func(ctx context.Context) error {
		var problems []error
		for _, remove := range slices.Backward(added) {
			problems = append(problems, remove(ctx))
		}
		return errors.Join(problems...)
	}
	for _, part := range []struct {
		name  string
		at    *PodSocket
		rules []trace.Rule
	}{{"controller", t.Controller, rules.Controller}, {"node", t.Node, rules.Node}} {
		if len(part.rules) == 0 {
			continue
		}
		if part.at == nil || part.at.Control == "" {
			return nil, errors.Join(fmt.Errorf("there are rules for calls to the %s, and the profile names no recording proxy there: cluster.%s.control", part.name, part.name), takeBack(ctx))
		}
		proxies, err := t.proxies(ctx, part.at)
		if err != nil {
			return nil, errors.Join(err, takeBack(ctx))
		}
		added = append(added, func(context.Context) error {
			for _, proxy := range proxies {
				proxy.Close()
			}
			return nil
		})
		for _, node := range slices.Sorted(maps.Keys(proxies)) {
			for _, rule := range part.rules {
				if err := proxies[node].AddRule(ctx, rule); err != nil {
					return nil, errors.Join(fmt.Errorf("the recording proxy of the %s on node %s: %w", part.name, node, err), takeBack(ctx))
				}
				added = append(added, func(ctx context.Context) error {
					return t.remove(ctx, proxies[node], rule.ID)
				})
			}
		}
	}
	return takeBack, nil
}

// proxyIn is a client of a recording proxy in a pod.
type proxyIn struct {
	*trace.Client
	socket dial.Socket
}

// remove ends a rule. The rule is already gone if the proxy was restarted or its pod replaced.
func (t *Target) remove(ctx context.Context, from proxyIn, rule string) error {
	_, err := from.RemoveRule(ctx, rule)
	if err == nil || errors.Is(err, trace.ErrNotFound) {
		return nil
	}
	at := from.socket
	if apierrors.IsNotFound(t.Client.Resources(at.Namespace).Get(ctx, at.Pod, at.Namespace, &corev1.Pod{})) {
		return nil
	}
	return err
}

// proxies returns clients of the recording proxies in front of these sockets, by node.
func (t *Target) proxies(ctx context.Context, at *PodSocket) (map[string]proxyIn, error) {
	sockets, err := t.ControlSocketsOf(ctx, at)
	if err != nil {
		return nil, err
	}
	dialer, err := t.Dialer()
	if err != nil {
		return nil, err
	}
	lines := connections.New(dialer)
	clients := map[string]proxyIn{}
	for node, socket := range sockets {
		clients[node] = proxyIn{lines.Proxy(socket), socket}
	}
	return clients, nil
}
