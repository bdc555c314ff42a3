// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/connections"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// NodePlugin is a case's own node plugin, which serves stand-ins on one node. Its volumes are directories there, and the
// case sets the answers to other calls. So it grades only the kubelet, and disturbs no other case.
type NodePlugin struct {
	s       *harness.Scenario
	drivers []*StandIn
	node    topology.Node
	pod     *corev1.Pod
	// calls are the kubelet's calls to the plugin, and rules answer them.
	calls *connections.Recording
	// registrations are the kubelet's calls about the registration of each driver, in the order of drivers.
	registrations []*connections.Recording
}

// nodePlugins counts the node plugins that the case has started.
type nodePlugins struct{ started int }

// StartNodePlugin starts a node plugin for the stand-ins on the node, with additional rules, of which the first match
// applies, and waits for the kubelet to have registered it. It runs until the pods of the case are gone.
func StartNodePlugin(ctx context.Context, s *harness.Scenario, at topology.Node, drivers []*StandIn, rules ...trace.Rule) *NodePlugin {
	p := Deploy(ctx, s, at, drivers, rules...)
	p.MustBeRegistered(ctx)
	return p
}

// Deploy starts a node plugin like StartNodePlugin, without waiting for its registration.
func Deploy(ctx context.Context, s *harness.Scenario, at topology.Node, drivers []*StandIn, rules ...trace.Rule) *NodePlugin {
	namespace := s.CreateNamespace(ctx)
	name := "csi-topo-" + namespace[strings.LastIndex(namespace, "-")+1:] // a path to a socket must be short
	built := workload.NodePluginOf(s.Target.WorkloadImage, at.Hostname, nodeplugin.KubeletDir(ctx, s, at), name)
	for _, rule := range append(rules,
		trace.Rule{ID: "info", Method: "NodeGetInfo", Answer: json.RawMessage(fmt.Sprintf(`{"node_id":%q}`, at.Name))},
		trace.Rule{ID: "capabilities", Method: "NodeGetCapabilities", Answer: json.RawMessage(`{}`)},
	) {
		built.Answering(ruleText(rule))
	}
	p := &NodePlugin{s: s, drivers: drivers, node: at}
	socket := func(container, path string) *connections.Recording {
		return s.Lines.Recording(dial.Socket{Namespace: namespace, Pod: p.pod.Name, Container: container, Path: path})
	}
	var names []string
	for i, driver := range drivers {
		names = append(names, fmt.Sprintf("registrar-%d", i))
		info := fmt.Sprintf(`{"type":"CSIPlugin","name":%q,"endpoint":%q,"supported_versions":["1.0.0"]}`, driver.Driver.Name, built.Socket())
		built.Registering(names[i],
			ruleText(trace.Rule{ID: "info", Method: "GetInfo", Answer: json.RawMessage(info)}),
			ruleText(trace.Rule{ID: "status", Method: "NotifyRegistrationStatus", Answer: json.RawMessage(`{}`)}))
	}
	p.pod = built.Object()
	p.pod.Namespace = namespace
	known := harness.Kept[nodePlugins](s)
	known.started++
	p.pod.GenerateName = fmt.Sprintf("node-plugin-%d-", known.started)
	s.OnceClaimsAreGone(p.remove)
	s.AtEnd(p.MustBeUnregistered)
	err := s.Resources().Create(ctx, p.pod)
	if apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "needs a privileged pod with the kubelet's directory on its node: %v", err)
	}
	s.Need(err, "creating a node plugin")
	s.Need(s.Within(ctx, s.Target.Timeouts.Run, s.Look(p.pod, func() error { return predicate.PodRuns(p.pod) })), "waiting for a node plugin to run")
	p.calls = socket(workload.ProxyContainer, "control.sock")
	for _, name := range names {
		p.registrations = append(p.registrations, socket(name, name+".sock"))
	}
	return p
}

// MustBeRegistered waits for the kubelet to have registered the plugin as each of its drivers.
func (p *NodePlugin) MustBeRegistered(ctx context.Context) {
	registered := &storagev1.CSINode{}
	registered.Name = p.node.Name
	p.s.Need(p.s.Within(ctx, p.s.Target.Timeouts.Restart, p.s.Look(registered, func() error {
		for _, driver := range p.drivers {
			if err := predicate.RegisteredAs(registered, driver.Driver.Name, p.node.Name); err != nil {
				return err
			}
		}
		return nil
	})), "waiting for the kubelet to register a node plugin")
}

// Remove ends the plugin, and waits until its pod is gone.
func (p *NodePlugin) Remove(ctx context.Context) {
	p.s.Need(p.remove(ctx), "removing a node plugin")
}

func (p *NodePlugin) remove(ctx context.Context) error {
	if err := p.s.Resources().Delete(ctx, p.pod); err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("deleting pod %s: %w", p.pod.Name, err)
	}
	return p.s.Within(ctx, p.s.Target.Timeouts.Restart, func(ctx context.Context) error {
		return harness.Gone(p.s.Reread(ctx, p.pod.DeepCopy()), "pod "+p.pod.Name)
	})
}

// MustBeUnregistered waits for the kubelet to have removed each of the drivers from the CSINode. One that stays is a
// warning by K8S-Q7.
func (p *NodePlugin) MustBeUnregistered(ctx context.Context) {
	registered := &storagev1.CSINode{}
	registered.Name = p.node.Name
	p.s.PlatformMust(ctx, p.s.Target.Timeouts.Restart, "K8S-Q7", "CSINode "+p.node.Name, p.s.Look(registered, func() error {
		for _, driver := range p.drivers {
			if err := predicate.Unregistered(registered, driver.Driver.Name); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Answer replaces the rule with the same id by this one.
func (p *NodePlugin) Answer(ctx context.Context, rule trace.Rule) {
	p.End(ctx, rule.ID)
	p.s.Need(p.calls.AddRule(ctx, rule), "telling the node plugin what to answer")
}

// End removes a rule.
func (p *NodePlugin) End(ctx context.Context, id string) {
	_, err := p.calls.RemoveRule(ctx, id)
	p.s.Need(err, "taking a rule back")
}

// Asked returns the recorded calls of the kubelet to the plugin with this method, oldest first.
func (p *NodePlugin) Asked(ctx context.Context, method string) []trace.Call {
	calls, err := p.calls.All(ctx)
	p.s.Need(err, "reading the calls to the node plugin")
	return predicate.CallsOf(calls, method)
}

// Notified returns the calls with which the kubelet reported the outcome of the registration of the plugin's first driver,
// oldest first.
func (p *NodePlugin) Notified(ctx context.Context) []trace.Call {
	calls, err := p.registrations[0].All(ctx)
	p.s.Need(err, "reading what the kubelet said of a registration")
	return predicate.CallsOf(calls, "NotifyRegistrationStatus")
}

// Claim makes the plugin claim these capabilities from now on.
func (p *NodePlugin) Claim(ctx context.Context, capabilities ...csi.NodeServiceCapability_RPC_Type) {
	var claimed []any
	for _, c := range capabilities {
		claimed = append(claimed, map[string]any{"rpc": map[string]string{"type": c.String()}})
	}
	answer, err := json.Marshal(map[string]any{"capabilities": claimed})
	p.s.Need(err, "writing an answer")
	p.Answer(ctx, trace.Rule{ID: "capabilities", Method: "NodeGetCapabilities", Answer: answer})
}

// Published returns the recorded calls of NodePublishVolume for the pod's volume with this name, oldest first.
func (p *NodePlugin) Published(ctx context.Context, pod *corev1.Pod, volume string) []trace.Call {
	return p.callsOf(ctx, "NodePublishVolume", pod, volume)
}

// Unpublished returns the recorded calls of NodeUnpublishVolume for the pod's volume with this name, oldest first.
func (p *NodePlugin) Unpublished(ctx context.Context, pod *corev1.Pod, volume string) []trace.Call {
	return p.callsOf(ctx, "NodeUnpublishVolume", pod, volume)
}

func (p *NodePlugin) callsOf(ctx context.Context, method string, pod *corev1.Pod, volume string) []trace.Call {
	return slices.DeleteFunc(p.Asked(ctx, method), func(call trace.Call) bool {
		return !predicate.At(call, string(pod.UID), volume)
	})
}

// Read reads a file of the pod's volume with this name, where the plugin has published it.
func (p *NodePlugin) Read(ctx context.Context, pod *corev1.Pod, volume, file string) string {
	calls := p.Published(ctx, pod, volume)
	if len(calls) == 0 {
		suite.CouldNotTell("volume %s of pod %s was not published", volume, pod.Name)
	}
	at, err := predicate.Target(calls[0])
	p.s.Need(err, "looking for the volume")
	found, err := pods.ExecIn(ctx, p.s, p.pod.Namespace, p.pod.Name, p.pod.Spec.Containers[0].Name, "/bin/sh", "-c", "cat "+at+"/"+file+" || true")
	p.s.Need(err, "reading from the volume at %s", at)
	return strings.TrimSpace(found)
}

// MustBeKnown waits for the CSINode, and the Node by its annotation and its labels, to match the plugin's answers about the
// driver. A lasting mismatch is a warning by K8S-Q6.
func (p *NodePlugin) MustBeKnown(ctx context.Context, driver *StandIn, segment predicate.Segment) {
	registered, node := &storagev1.CSINode{}, &corev1.Node{}
	registered.Name, node.Name = p.node.Name, p.node.Name
	p.s.PlatformMust(ctx, p.s.Target.Timeouts.Restart, "K8S-Q6", "node "+node.Name+" with the driver", p.s.Look(node, func() error {
		if err := p.s.Reread(ctx, registered); err != nil {
			return err
		}
		if err := predicate.SameTopology(driver.Driver.Name, registered, node, p.node.Name, segment); err != nil {
			return err
		}
		return predicate.NodeKnows(node, driver.Driver.Name, p.node.Name)
	}))
}
