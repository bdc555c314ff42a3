// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// NameOf is the name by which the provisioner asks the driver for the claim's volume.
func NameOf(claim *corev1.PersistentVolumeClaim) string { return "pvc-" + string(claim.UID) }

// Injected is a rule of the recording proxy that a case has put in force, by which calls are answered in the driver's stead.
type Injected struct {
	s        *Scenario
	recorder *trace.Client
	id       string
}

// Inject puts the rule in force for calls of CreateVolume for the claim, until End or the end of the case.
func (s *Scenario) Inject(ctx context.Context, claim *corev1.PersistentVolumeClaim, rule trace.Rule) *Injected {
	rule.Method = "CreateVolume"
	rule.Match = s.match(map[string]any{"name": NameOf(claim)})
	return s.injectInto(ctx, s.record(ctx).Client, rule)
}

// InjectOn puts the rule in force for calls to the controller for the volume, until End or the end of the case.
func (s *Scenario) InjectOn(ctx context.Context, volume *corev1.PersistentVolume, rule trace.Rule) *Injected {
	rule.Match = s.match(map[string]any{"volume_id": HandleOf(volume)})
	return s.injectInto(ctx, s.record(ctx).Client, rule)
}

// match is what a request must have for a rule to apply to it.
func (s *Scenario) match(fields map[string]any) json.RawMessage {
	match, err := json.Marshal(fields)
	s.Need(err, "writing a rule")
	return match
}

// injectInto puts the rule in force in a recording proxy, until End or the end of the case.
func (s *Scenario) injectInto(ctx context.Context, recorder *trace.Client, rule trace.Rule) *Injected {
	rule.ID = fmt.Sprintf("%s-%d", s.Namespace, len(s.undo))
	s.injects = true
	injected := &Injected{s, recorder, rule.ID}
	s.undo = append(s.undo, injected.remove)
	s.Need(recorder.AddRule(ctx, rule), "having calls answered in the driver's stead")
	return injected
}

// End lets the calls reach the driver again.
func (i *Injected) End(ctx context.Context) {
	i.s.Need(i.remove(ctx), "having the driver answer again")
}

// remove takes the rule back, if it is in force.
func (i *Injected) remove(ctx context.Context) error {
	rules, err := i.recorder.Rules(ctx)
	if err != nil || !slices.ContainsFunc(rules, func(r trace.RuleUse) bool { return r.ID == i.id }) {
		return err
	}
	_, err = i.recorder.RemoveRule(ctx, i.id)
	return err
}

// record connects to the recording proxy before the driver's controller.
func (s *Scenario) record(ctx context.Context) *recording {
	if s.recorder != nil {
		return s.recorder
	}
	sockets := s.controlSockets(ctx, s.Target.Controller)
	s.recorder = s.lines.recording(sockets[slices.Sorted(maps.Keys(sockets))[0]])
	return s.recorder
}

// controlSockets are those of the recording proxies before the driver's sockets, by node.
func (s *Scenario) controlSockets(ctx context.Context, at *PodSocket) map[string]dial.Socket {
	sockets, err := s.Target.controlSocketsOf(ctx, at)
	s.Need(err, "looking for the recording proxy")
	return sockets
}

// Recorded are the calls that reached the driver's controller since the proxy began, oldest first.
func (s *Scenario) Recorded(ctx context.Context) ([]trace.Call, error) {
	return s.record(ctx).all(ctx)
}

// Created are the recorded calls of CreateVolume for the claim, oldest first.
func (s *Scenario) Created(ctx context.Context, claim *corev1.PersistentVolumeClaim) ([]trace.Call, error) {
	calls, err := s.Recorded(ctx)
	if err != nil {
		return nil, err
	}
	return createdFor(calls, claim), nil
}

// createdFor are those of the calls that are CreateVolume for the claim.
func createdFor(calls []trace.Call, claim *corev1.PersistentVolumeClaim) []trace.Call {
	var created []trace.Call
	for _, call := range calls {
		var request struct{ Name string }
		if call.Method == csi.Controller_CreateVolume_FullMethodName && json.Unmarshal(call.Request, &request) == nil && request.Name == NameOf(claim) {
			created = append(created, call)
		}
	}
	return created
}

// MustBeAsked waits for calls of CreateVolume for the claim that satisfy the predicate, and returns them.
func (s *Scenario) MustBeAsked(ctx context.Context, claim *corev1.PersistentVolumeClaim, judged func([]trace.Call) error) []trace.Call {
	var calls []trace.Call
	s.Until(ctx, s.Target.Timeouts.Run, "calls of CreateVolume for claim "+claim.Name, func(ctx context.Context) (err error) {
		if calls, err = s.Created(ctx, claim); err != nil {
			return err
		}
		return judged(calls)
	})
	suite.Evidence(ctx, "CreateVolume of "+claim.Name, calls)
	return calls
}

// Request reads what was sent with a recorded call.
func Request[M proto.Message](call trace.Call, into M) (M, error) {
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(call.Request, into); err != nil {
		return into, fmt.Errorf("reading the request of %s at %s: %w", call.Method, call.Time.Format(time.RFC3339Nano), err)
	}
	return into, nil
}

// MustHaveDeleted waits for a call of DeleteVolume for the volume that the call of CreateVolume for the claim was answered
// with. That the claim is bound to it says that nobody will.
func (s *Scenario) MustHaveDeleted(ctx context.Context, created trace.Call, claim *corev1.PersistentVolumeClaim) {
	var answer struct {
		Volume struct {
			ID string `json:"volume_id"`
		}
	}
	s.Need(json.Unmarshal(created.Response, &answer), "reading the answer to CreateVolume")
	s.Until(ctx, s.Target.Timeouts.Delete, "DeleteVolume of volume "+answer.Volume.ID, func(ctx context.Context) error {
		calls, err := s.Recorded(ctx)
		if err := errors.Join(err, s.Reread(ctx, claim)); err != nil {
			return err
		}
		for _, call := range calls {
			var request struct {
				ID string `json:"volume_id"`
			}
			if call.Method == csi.Controller_DeleteVolume_FullMethodName && json.Unmarshal(call.Request, &request) == nil && request.ID == answer.Volume.ID {
				suite.Evidence(ctx, "DeleteVolume", call)
				return nil
			}
		}
		return errors.Join(predicate.ClaimWithoutVolume(claim), fmt.Errorf("no call of DeleteVolume names volume %q", answer.Volume.ID))
	})
}
