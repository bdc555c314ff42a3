package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/e2e/cluster/dial"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/judge"
	"github.com/csi-topo/csi-topo/e2e/trace"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Provisioner is a csi-provisioner of the case's own, of the release that runs beside the driver under test. The driver that
// it serves is a stand-in: the case says what each call is answered with. So it grades csi-provisioner alone, under
// conditions that no driver can be brought into at will, and disturbs nobody.
type Provisioner struct {
	s         *Scenario
	driver    *StandIn
	namespace string
	pods      map[string]*proxied
	// rules are those that the case added, in order, and sent counts them.
	rules []trace.Rule
	sent  int
}

// proxied is the proxy in one pod of the provisioner.
type proxied struct {
	client   *trace.Client
	recorded []trace.Call
	rules    int
}

// Provisioning is how a provisioner is to run.
type Provisioning struct {
	// Flags are arguments of csi-provisioner.
	Flags []string
	// Replicas is the number of its pods, 0 for one.
	Replicas int32
	// WithoutTopology has the driver not claim VOLUME_ACCESSIBILITY_CONSTRAINTS.
	WithoutTopology bool
	// Node is the one that the provisioner is for, where each node has its own, and NodeSegment its topology.
	Node        Node
	NodeSegment predicate.Segment
	// Room is what GetCapacity answers for each zone of the stand-in, by its name, until Say.
	Room map[string]int64
}

var provisionerImage = regexp.MustCompile(`(^|/)csi-provisioner(:|@|$)`)

// StartProvisioner starts a provisioner for the stand-in. It runs until the case ends, and then deletes the volumes that it
// was answered.
func (d *StandIn) StartProvisioner(ctx context.Context, how Provisioning) *Provisioner {
	s := d.s
	s.injects = true
	image, beside := s.provisionerImage(ctx)
	p := &Provisioner{s: s, driver: d, namespace: s.CreateNamespace(ctx), pods: map[string]*proxied{}}
	built := workload.ProvisionerOf(image, s.Target.WorkloadImage).Beside(beside).
		Flags("--feature-gates=Topology=true").Flags(how.Flags...).Answering(d.rules(how)...)
	if how.Replicas > 0 {
		built.Replicas(how.Replicas)
	}
	if how.Node.Name != "" {
		built.NodeName(how.Node.Name)
	}
	s.undo = append(s.undo, p.retire)
	p.permit(ctx)
	deployment := built.Object()
	deployment.Namespace = p.namespace
	s.Need(s.Resources().Create(ctx, deployment), "creating a provisioner")
	s.Until(ctx, s.Target.Timeouts.Restart, "provisioner of the case's own running", s.Look(deployment, func() error {
		return provisionerRuns(deployment)
	}))
	s.Need(p.connect(ctx), "reaching the provisioner's proxy")
	return p
}

func provisionerRuns(deployment *appsv1.Deployment) error {
	if ready := deployment.Status.ReadyReplicas; ready < *deployment.Spec.Replicas {
		return fmt.Errorf("%d of %d pods are ready", ready, *deployment.Spec.Replicas)
	}
	return nil
}

// provisionerImage is that of the csi-provisioner beside the driver under test, and a pod that runs it.
func (s *Scenario) provisionerImage(ctx context.Context) (string, *corev1.Pod) {
	at := s.Target.Controller
	var pods corev1.PodList
	s.Need(s.Target.Client.Resources(at.Namespace).List(ctx, &pods, resources.WithLabelSelector(at.Selector)), "finding the driver's pods")
	for _, pod := range pods.Items {
		for _, container := range pod.Spec.Containers {
			if provisionerImage.MatchString(container.Image) {
				return container.Image, &pod
			}
		}
	}
	judge.Skip(verdict.ByEnvironment, "no container beside the driver's controller has an image called csi-provisioner")
	return "", nil
}

// permit lets the provisioner do its work.
func (p *Provisioner) permit(ctx context.Context) {
	s := p.s
	account := &corev1.ServiceAccount{}
	account.Name, account.Namespace = workload.ProvisionerName, p.namespace
	s.Need(s.Resources().Create(ctx, account), "creating a service account")
	role, binding := workload.ProvisionerRole(), &rbacv1.ClusterRoleBinding{}
	role.Name, binding.Name = p.namespace, p.namespace
	binding.RoleRef = rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name}
	binding.Subjects = []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: account.Name, Namespace: account.Namespace}}
	if err := errors.Join(s.Resources().Create(ctx, role), s.Resources().Create(ctx, binding)); apierrors.IsForbidden(err) {
		judge.Skip(verdict.ByEnvironment, "the user of the kubeconfig may not give a provisioner its rights: %v", err)
	} else {
		s.Need(err, "giving the provisioner its rights")
	}
}

// connect reaches the proxies of pods that it has not reached yet, and gives them the rules of the case.
func (p *Provisioner) connect(ctx context.Context) error {
	var pods corev1.PodList
	if err := p.s.Target.Client.Resources(p.namespace).List(ctx, &pods, resources.WithLabelSelector("app="+workload.ProvisionerName)); err != nil {
		return fmt.Errorf("listing the provisioner's pods: %w", err)
	}
	for _, pod := range pods.Items {
		if pod.Status.Phase != corev1.PodRunning || pod.DeletionTimestamp != nil {
			continue
		}
		if p.pods[pod.Name] == nil {
			socket := dial.Socket{Namespace: pod.Namespace, Pod: pod.Name, Container: workload.ProxyContainer, Path: "control.sock"}
			client := trace.NewClient(func(ctx context.Context) (net.Conn, error) { return p.s.dialer.DialContext(ctx, socket) })
			p.pods[pod.Name] = &proxied{client: client}
			p.s.watches = append(p.s.watches, client.Close)
		}
	}
	for _, at := range p.pods {
		for ; at.rules < len(p.rules); at.rules++ {
			if err := at.client.AddRule(ctx, p.rules[at.rules]); err != nil {
				return err
			}
		}
	}
	return nil
}

// rules are what the stand-in answers from the beginning.
func (d *StandIn) rules(how Provisioning) []string {
	// DeleteVolume is left to the case, and to the end of it.
	answers := map[string]string{
		"GetPluginInfo":             fmt.Sprintf(`{"name":%q,"vendor_version":"1"}`, d.Driver.Name),
		"Probe":                     `{"ready":true}`,
		"GetPluginCapabilities":     `{"capabilities":[{"service":{"type":"CONTROLLER_SERVICE"}},{"service":{"type":"VOLUME_ACCESSIBILITY_CONSTRAINTS"}}]}`,
		"ControllerGetCapabilities": `{"capabilities":[{"rpc":{"type":"CREATE_DELETE_VOLUME"}},{"rpc":{"type":"GET_CAPACITY"}}]}`,
	}
	if how.NodeSegment != nil {
		segments, err := json.Marshal(how.NodeSegment)
		d.s.Need(err, "writing an answer")
		answers["NodeGetInfo"] = fmt.Sprintf(`{"node_id":%q,"accessible_topology":{"segments":%s}}`, how.Node.Name, segments)
	}
	if how.WithoutTopology {
		answers["GetPluginCapabilities"] = `{"capabilities":[{"service":{"type":"CONTROLLER_SERVICE"}}]}`
	}
	var rules []string
	for method, answer := range answers {
		rules = append(rules, ruleText(trace.Rule{ID: method, Method: method, Answer: json.RawMessage(answer)}))
	}
	slices.Sort(rules)
	for zone, bytes := range how.Room {
		rules = append(rules, ruleText(d.room("room of "+zone, zone, bytes)))
	}
	return rules
}

// room is the rule by which GetCapacity is answered for a zone.
func (d *StandIn) room(id, zone string, bytes int64) trace.Rule {
	match, err := json.Marshal(map[string]any{"accessible_topology": map[string]any{"segments": d.Segment(zone)}})
	d.s.Need(err, "writing a rule")
	return trace.Rule{ID: id, Method: "GetCapacity", Match: match, Answer: json.RawMessage(fmt.Sprintf(`{"available_capacity":"%d"}`, bytes))}
}

func ruleText(rule trace.Rule) string {
	text, _ := json.Marshal(rule) // its parts are JSON already
	return string(text)
}

// Rule has calls treated by the rule, in all pods of the provisioner, and returns its id.
func (p *Provisioner) Rule(ctx context.Context, rule trace.Rule) string {
	p.sent++
	rule.ID = fmt.Sprintf("case-%d", p.sent)
	p.rules = append(p.rules, rule)
	p.s.Need(p.connect(ctx), "telling the proxy what to answer")
	return rule.ID
}

// End takes a rule back, and ends the waits of calls that it holds.
func (p *Provisioner) End(ctx context.Context, id string) {
	p.s.Need(p.end(ctx, id), "taking a rule back")
}

func (p *Provisioner) end(ctx context.Context, id string) error {
	at := slices.IndexFunc(p.rules, func(r trace.Rule) bool { return r.ID == id })
	var problems []error
	for _, pod := range p.pods {
		if at < 0 || pod.rules <= at {
			continue
		}
		pod.rules--
		_, err := pod.client.RemoveRule(ctx, id)
		problems = append(problems, err)
	}
	if at >= 0 {
		p.rules = slices.Delete(p.rules, at, at+1)
	}
	return errors.Join(problems...)
}

// Release ends the waits of the calls that a rule of so many times holds. What it says remains their answer.
func (p *Provisioner) Release(ctx context.Context, id string) { p.End(ctx, id) }

// Used is how many calls the rule applied to so far.
func (p *Provisioner) Used(ctx context.Context, id string) (int, error) {
	used := 0
	for _, pod := range p.pods {
		rules, err := pod.client.Rules(ctx)
		if err != nil {
			return 0, err
		}
		for _, rule := range rules {
			if rule.ID == id {
				used += rule.Used
			}
		}
	}
	return used, nil
}

// Say has GetCapacity answer this for a zone from now on.
func (p *Provisioner) Say(ctx context.Context, zone string, bytes int64) {
	p.s.Need(p.replace(ctx, zone, p.driver.room("", zone, bytes)), "changing what the driver says of zone %s", zone)
}

// FailCapacity has GetCapacity fail for a zone, until Say.
func (p *Provisioner) FailCapacity(ctx context.Context, zone, code string) {
	rule := p.driver.room("", zone, 0)
	rule.Answer, rule.Code, rule.Message = nil, code, "said by csi-topo"
	p.s.Need(p.replace(ctx, zone, rule), "having GetCapacity fail for zone %s", zone)
}

// replace puts another rule in the place of the one for the zone's room.
func (p *Provisioner) replace(ctx context.Context, zone string, rule trace.Rule) error {
	first := "room of " + zone
	p.Rule(ctx, rule)
	for _, pod := range p.pods {
		if _, err := pod.client.RemoveRule(ctx, first); err != nil && !unknownRule(err) {
			return err
		}
	}
	for _, earlier := range slices.Clone(p.rules[:len(p.rules)-1]) {
		if earlier.Method == rule.Method && string(earlier.Match) == string(rule.Match) {
			if err := p.end(ctx, earlier.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// Provide has CreateVolume for the claim answered with a volume that is accessible from these topologies.
func (p *Provisioner) Provide(ctx context.Context, claim *corev1.PersistentVolumeClaim, segments ...predicate.Segment) string {
	return p.Rule(ctx, p.Volume(claim, segments...))
}

// Volume is the rule by which Provide answers.
func (p *Provisioner) Volume(claim *corev1.PersistentVolumeClaim, segments ...predicate.Segment) trace.Rule {
	size := claim.Spec.Resources.Requests[corev1.ResourceStorage]
	volume := map[string]any{"volume_id": NameOf(claim), "capacity_bytes": fmt.Sprint(size.Value())}
	if len(segments) > 0 {
		var topologies []any
		for _, segment := range segments {
			topologies = append(topologies, map[string]any{"segments": segment})
		}
		volume["accessible_topology"] = topologies
	}
	answer, err := json.Marshal(map[string]any{"volume": volume})
	p.s.Need(err, "writing an answer")
	return trace.Rule{Method: "CreateVolume", Match: named(claim), Answer: answer}
}

// ProvideIn has CreateVolume for the claim answered with a volume in the segment, when nothing but that is asked for.
func (p *Provisioner) ProvideIn(ctx context.Context, claim *corev1.PersistentVolumeClaim, segment predicate.Segment) string {
	rule := p.Volume(claim, segment)
	match, err := json.Marshal(map[string]any{
		"name": NameOf(claim), "accessibility_requirements": map[string]any{"requisite": []any{map[string]any{"segments": segment}}},
	})
	p.s.Need(err, "writing a rule")
	rule.Match = match
	return p.Rule(ctx, rule)
}

// Refuse is the rule by which CreateVolume for the claim fails with a code.
func (p *Provisioner) Refuse(claim *corev1.PersistentVolumeClaim, code string) trace.Rule {
	return trace.Rule{Method: "CreateVolume", Match: named(claim), Code: code, Message: "said by csi-topo"}
}

// unknownRule tells that the proxy has no such rule.
func unknownRule(err error) bool { return strings.Contains(err.Error(), "is in force") }

// named matches requests for the claim's volume.
func named(claim *corev1.PersistentVolumeClaim) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"name":%q}`, NameOf(claim)))
}

// Recorded are the calls that the provisioner's pods made, each pod's oldest first.
func (p *Provisioner) Recorded(ctx context.Context) ([]trace.Call, error) {
	if err := p.connect(ctx); err != nil {
		return nil, err
	}
	var all []trace.Call
	for _, pod := range p.pods {
		var last int64
		if n := len(pod.recorded); n > 0 {
			last = pod.recorded[n-1].Number
		}
		calls, err := pod.client.Calls(ctx, last, 0)
		if err != nil {
			return nil, err
		}
		pod.recorded = append(pod.recorded, calls...)
		all = append(all, pod.recorded...)
	}
	slices.SortStableFunc(all, func(a, b trace.Call) int { return a.Time.Compare(b.Time) })
	return all, nil
}

// Created are the recorded calls of CreateVolume for the claim, oldest first.
func (p *Provisioner) Created(ctx context.Context, claim *corev1.PersistentVolumeClaim) ([]trace.Call, error) {
	calls, err := p.Recorded(ctx)
	return createdFor(calls, claim), err
}

// Deleted are the recorded calls of DeleteVolume for the claim's volume, oldest first.
func (p *Provisioner) Deleted(ctx context.Context, claim *corev1.PersistentVolumeClaim) ([]trace.Call, error) {
	calls, err := p.Recorded(ctx)
	return slices.DeleteFunc(calls, func(call trace.Call) bool {
		var request struct {
			ID string `json:"volume_id"`
		}
		return call.Method != csi.Controller_DeleteVolume_FullMethodName || json.Unmarshal(call.Request, &request) != nil || request.ID != NameOf(claim)
	}), err
}

// MustBeAsked waits for calls of CreateVolume for the claim that satisfy the predicate, and returns them.
func (p *Provisioner) MustBeAsked(ctx context.Context, claim *corev1.PersistentVolumeClaim, judged func([]trace.Call) error) []trace.Call {
	var calls []trace.Call
	p.s.Until(ctx, p.s.Target.Timeouts.Run, "calls of CreateVolume for claim "+claim.Name, func(ctx context.Context) (err error) {
		if calls, err = p.Created(ctx, claim); err != nil {
			return err
		}
		return judged(calls)
	})
	judge.Evidence(ctx, "CreateVolume of "+claim.Name, calls)
	return calls
}

// Requirement is what the first call of CreateVolume for the claim asks of the volume's topology, nil for nothing.
func (p *Provisioner) Requirement(ctx context.Context, claim *corev1.PersistentVolumeClaim) *csi.TopologyRequirement {
	calls := p.MustBeAsked(ctx, claim, predicate.AskedOnce)
	request, err := Request(calls[len(calls)-1], &csi.CreateVolumeRequest{})
	p.s.Need(err, "reading what the provisioner asked for")
	return request.GetAccessibilityRequirements()
}

// Kill kills the processes of the provisioner, which its pods start again.
func (p *Provisioner) Kill(ctx context.Context) {
	const kill = `for p in /proc/[0-9]*; do read -r name < $p/comm && [ "$name" = csi-provisioner ] && kill -9 ${p#/proc/} && echo killed; done; true`
	p.s.Need(p.connect(ctx), "reaching the provisioner's proxy")
	for pod := range p.pods {
		said, err := p.s.execIn(ctx, p.namespace, pod, workload.ProxyContainer, "/bin/sh", "-c", kill)
		p.s.Need(err, "killing the provisioner")
		if said == "" {
			judge.CouldNotTell("no process csi-provisioner runs in pod %s", pod)
		}
	}
}

// retire removes what is there of the stand-in's volumes, with the provisioner's help, and then the provisioner's rights.
func (p *Provisioner) retire(ctx context.Context) error {
	s := p.s
	at := metav1.ListOptions{}
	problems := []error{p.answerEnd(ctx), s.removePods(ctx), s.kube.CoreV1().PersistentVolumeClaims(s.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, at)}
	err := s.poll(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error {
		left, err := s.volumesOf(ctx, p.driver.Driver.Name)
		if err == nil && len(left) > 0 {
			err = fmt.Errorf("%d volumes of the stand-in are still there, the first is %s in phase %s", len(left), left[0].Name, left[0].Status.Phase)
		}
		return err
	})
	role, binding := &rbacv1.ClusterRole{}, &rbacv1.ClusterRoleBinding{}
	role.Name, binding.Name = p.namespace, p.namespace
	return errors.Join(append(problems, err, s.delete(ctx, binding), s.delete(ctx, role))...)
}

// answerEnd takes back what the case had answered otherwise, so that volumes can be deleted.
func (p *Provisioner) answerEnd(ctx context.Context) error {
	if len(p.pods) == 0 {
		return nil
	}
	for _, rule := range slices.Clone(p.rules) {
		if rule.Method == "DeleteVolume" || rule.Delay > 0 {
			if err := p.end(ctx, rule.ID); err != nil {
				return err
			}
		}
	}
	p.sent++
	p.rules = append(p.rules, trace.Rule{ID: fmt.Sprintf("case-%d", p.sent), Method: "DeleteVolume", Answer: json.RawMessage(`{}`)})
	return p.connect(ctx)
}

// Deletes has every DeleteVolume succeed.
func (p *Provisioner) Deletes(ctx context.Context) {
	p.Rule(ctx, trace.Rule{Method: "DeleteVolume", Answer: json.RawMessage(`{}`)})
}

// MustPublish waits for the class's CSIStorageCapacity object of the zone to show this many bytes.
func (p *Provisioner) MustPublish(ctx context.Context, class *storagev1.StorageClass, zone string, bytes int64) {
	at := Zone{Name: zone, Segment: p.driver.Segment(zone)}
	p.s.MustPublish(ctx, class, at, fmt.Sprintf("CSIStorageCapacity of zone %s", zone), func(shown int64) error {
		return predicate.Equal("CSIStorageCapacity of zone "+zone, shown, bytes)
	})
}

// MustGo waits for a PersistentVolume to be deleted.
func (s *Scenario) MustGo(ctx context.Context, volume *corev1.PersistentVolume) {
	s.Until(ctx, s.Target.Timeouts.Delete, "volume "+volume.Name+" deleted", func(ctx context.Context) error {
		return gone(s.Reread(ctx, volume.DeepCopy()), "volume "+volume.Name)
	})
}
