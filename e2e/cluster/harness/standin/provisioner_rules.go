// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// firstRules returns the stand-in's initial answers.
func (d *StandIn) firstRules(how Provisioning) []string {
	// DeleteVolume is answered by the case and at its end.
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
	if how.NotReady {
		answers["Probe"] = `{"ready":false}`
	}
	if how.WithoutCapacity {
		answers["ControllerGetCapabilities"] = `{"capabilities":[{"rpc":{"type":"CREATE_DELETE_VOLUME"}}]}`
	}
	if how.Attaches {
		answers["ControllerGetCapabilities"] = `{"capabilities":[{"rpc":{"type":"CREATE_DELETE_VOLUME"}},{"rpc":{"type":"PUBLISH_UNPUBLISH_VOLUME"}}]}`
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
		rules = append(rules, ruleText(d.roomRule("room of "+zone, zone, bytes)))
	}
	return rules
}

// roomRule returns the rule that answers GetCapacity for a zone.
func (d *StandIn) roomRule(id, zone string, bytes int64) trace.Rule {
	match, err := json.Marshal(map[string]any{"accessible_topology": map[string]any{"segments": d.Segment(zone)}})
	d.s.Need(err, "writing a rule")
	return trace.Rule{ID: id, Method: "GetCapacity", Match: match, Answer: json.RawMessage(fmt.Sprintf(`{"available_capacity":"%d"}`, bytes))}
}

func ruleText(rule trace.Rule) string {
	text, _ := json.Marshal(rule) // its parts are JSON already
	return string(text)
}

// Rule applies the rule to calls in all pods of the provisioner, and returns its id.
func (p *Provisioner) Rule(ctx context.Context, rule trace.Rule) string {
	p.sent++
	rule.ID = fmt.Sprintf("case-%d", p.sent)
	p.rules = append(p.rules, rule)
	p.s.Need(p.connect(ctx), "telling the proxy what to answer")
	return rule.ID
}

// End removes a rule, and releases the calls that it delays, which still get its answer.
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
		_, err := pod.RemoveRule(ctx, id)
		problems = append(problems, err)
	}
	if at >= 0 {
		p.rules = slices.Delete(p.rules, at, at+1)
	}
	return errors.Join(problems...)
}

// Used returns the number of calls that the rule has been applied to.
func (p *Provisioner) Used(ctx context.Context, id string) (int, error) {
	used := 0
	for _, pod := range p.pods {
		rules, err := pod.Rules(ctx)
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

// SayReady makes Probe answer that the driver is ready from now on.
func (p *Provisioner) SayReady(ctx context.Context) {
	p.s.Need(p.replace(ctx, "Probe", trace.Rule{Method: "Probe", Answer: json.RawMessage(`{"ready":true}`)}), "having the driver be ready")
}

// Say sets the answer of GetCapacity for a zone from now on.
func (p *Provisioner) Say(ctx context.Context, zone string, bytes int64) {
	p.s.Need(p.replace(ctx, "room of "+zone, p.driver.roomRule("", zone, bytes)), "changing what the driver says of zone %s", zone)
}

// FailCapacity makes GetCapacity fail for a zone, until Say.
func (p *Provisioner) FailCapacity(ctx context.Context, zone, code string) {
	rule := p.driver.roomRule("", zone, 0)
	rule.Answer, rule.Code, rule.Message = nil, code, "said by csi-topo"
	p.s.Need(p.replace(ctx, "room of "+zone, rule), "having GetCapacity fail for zone %s", zone)
}

// replace adds the rule in place of the initial rule, whose id is first, and of earlier rules for the same calls.
func (p *Provisioner) replace(ctx context.Context, first string, rule trace.Rule) error {
	p.Rule(ctx, rule)
	for _, pod := range p.pods {
		if _, err := pod.RemoveRule(ctx, first); err != nil && !errors.Is(err, trace.ErrNotFound) {
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

// Provide answers CreateVolume for the claim with a volume that is accessible from these topologies, and returns the
// rule's id.
func (p *Provisioner) Provide(ctx context.Context, claim *corev1.PersistentVolumeClaim, segments ...predicate.Segment) string {
	return p.Rule(ctx, p.Volume(claim, segments...))
}

// Volume returns the rule that Provide uses.
func (p *Provisioner) Volume(claim *corev1.PersistentVolumeClaim, segments ...predicate.Segment) trace.Rule {
	size := claim.Spec.Resources.Requests[corev1.ResourceStorage]
	volume := map[string]any{"volume_id": recorder.NameOf(claim), "capacity_bytes": fmt.Sprint(size.Value())}
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

// ProvideIn answers CreateVolume for the claim with a volume in the segment, if it requests exactly that segment.
func (p *Provisioner) ProvideIn(ctx context.Context, claim *corev1.PersistentVolumeClaim, segment predicate.Segment) string {
	rule := p.Volume(claim, segment)
	rule.Match = p.namedIn(claim, segment)
	return p.Rule(ctx, rule)
}

// RefuseIn fails CreateVolume for the claim the given number of times with a code, if it requests exactly the
// segment.
func (p *Provisioner) RefuseIn(ctx context.Context, claim *corev1.PersistentVolumeClaim, segment predicate.Segment, code string, times int) string {
	rule := p.Refuse(claim, code)
	rule.Match, rule.Times = p.namedIn(claim, segment), times
	return p.Rule(ctx, rule)
}

// Refuse returns the rule that fails CreateVolume for the claim with a code.
func (p *Provisioner) Refuse(claim *corev1.PersistentVolumeClaim, code string) trace.Rule {
	return trace.Rule{Method: "CreateVolume", Match: named(claim), Code: code, Message: "said by csi-topo"}
}

// named returns the match for requests for the claim's volume.
func named(claim *corev1.PersistentVolumeClaim) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"name":%q}`, recorder.NameOf(claim)))
}

// namedIn returns the match for requests for the claim's volume that ask for exactly the segment.
func (p *Provisioner) namedIn(claim *corev1.PersistentVolumeClaim, segment predicate.Segment) json.RawMessage {
	match, err := json.Marshal(map[string]any{
		"name": recorder.NameOf(claim), "accessibility_requirements": map[string]any{"requisite": []any{map[string]any{"segments": segment}}},
	})
	p.s.Need(err, "writing a rule")
	return match
}

// Deletes makes every DeleteVolume succeed.
func (p *Provisioner) Deletes(ctx context.Context) {
	p.Rule(ctx, trace.Rule{Method: "DeleteVolume", Answer: json.RawMessage(`{}`)})
}
