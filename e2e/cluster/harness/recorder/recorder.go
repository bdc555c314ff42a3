// SPDX-License-Identifier: Apache-2.0

// Package recorder reads the calls that reached the driver through its recording proxies, and injects answers to calls.
package recorder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/connections"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// CallsFor returns the calls that reached the driver's controller for the volume, oldest first.
func CallsFor(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume) ([]trace.Call, error) {
	calls, err := Calls(ctx, s)
	return predicate.CallsFor(calls, harness.HandleOf(volume)), err
}

// NameOf returns the name of the claim's volume in the provisioner's requests.
func NameOf(claim *corev1.PersistentVolumeClaim) string { return "pvc-" + string(claim.UID) }

// Injected is a rule of the recording proxy that a case has activated to answer calls in the driver's place.
type Injected struct {
	s        *harness.Scenario
	recorder *trace.Client
	id       string
}

// Inject activates the rule for calls of CreateVolume for the claim, until End or the end of the case.
func Inject(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, rule trace.Rule) *Injected {
	rule.Method = "CreateVolume"
	rule.Match = Match(s, map[string]any{"name": NameOf(claim)})
	return InjectInto(ctx, s, Of(ctx, s).Client, rule)
}

// InjectOn activates the rule for calls to the controller for the volume, until End or the end of the case.
func InjectOn(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume, rule trace.Rule) *Injected {
	rule.Match = Match(s, map[string]any{"volume_id": harness.HandleOf(volume)})
	return InjectInto(ctx, s, Of(ctx, s).Client, rule)
}

// Match returns the fields that a request must have for a rule to apply to it, as JSON.
func Match(s *harness.Scenario, fields map[string]any) json.RawMessage {
	match, err := json.Marshal(fields)
	s.Need(err, "writing a rule")
	return match
}

// InjectInto activates the rule in a recording proxy, until End or the end of the case.
func InjectInto(ctx context.Context, s *harness.Scenario, recorder *trace.Client, rule trace.Rule) *Injected {
	rule.ID = s.Name("rule")
	s.Injects = true
	injected := &Injected{s, recorder, rule.ID}
	s.OnCleanUp(injected.remove)
	s.Need(recorder.AddRule(ctx, rule), "having calls answered for the driver")
	return injected
}

// End lets the calls reach the driver again.
func (i *Injected) End(ctx context.Context) {
	i.s.Need(i.remove(ctx), "having the driver answer again")
}

// MustApply waits for the rule to have been applied to at least the given number of calls, which may still be in flight.
func (i *Injected) MustApply(ctx context.Context, calls int) {
	i.s.Until(ctx, i.s.Target.Timeouts.Bind, "calls that the case has answered", func(ctx context.Context) error {
		rules, err := i.recorder.Rules(ctx)
		if err == nil && !slices.ContainsFunc(rules, func(r trace.RuleUse) bool { return r.ID == i.id && r.Used >= calls }) {
			err = fmt.Errorf("fewer than %d calls were made that the rule is for", calls)
		}
		return err
	})
}

// remove removes the rule if it is active.
func (i *Injected) remove(ctx context.Context) error {
	rules, err := i.recorder.Rules(ctx)
	if err != nil || !slices.ContainsFunc(rules, func(r trace.RuleUse) bool { return r.ID == i.id }) {
		return err
	}
	_, err = i.recorder.RemoveRule(ctx, i.id)
	return err
}

// Of connects to the recording proxy in front of the driver's controller.
func Of(ctx context.Context, s *harness.Scenario) *connections.Recording {
	known := harness.Kept[kept](s)
	if known.recording == nil {
		sockets := controlSockets(ctx, s, s.Target.Controller)
		known.recording = s.Lines.Recording(sockets[slices.Sorted(maps.Keys(sockets))[0]])
	}
	return known.recording
}

// kept holds the recording of the proxy in front of the driver's controller, once it is requested.
type kept struct{ recording *connections.Recording }

// controlSockets returns the control sockets of the recording proxies in front of the driver's sockets, by node.
func controlSockets(ctx context.Context, s *harness.Scenario, at *harness.PodSocket) map[string]dial.Socket {
	sockets, err := s.Target.ControlSocketsOf(ctx, at)
	s.Need(err, "looking for the recording proxy")
	return sockets
}

// Calls returns the calls that reached the driver's controller since the proxy began, oldest first.
func Calls(ctx context.Context, s *harness.Scenario) ([]trace.Call, error) {
	return Of(ctx, s).All(ctx)
}

// Created returns the recorded calls of CreateVolume for the claim, oldest first.
func Created(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) ([]trace.Call, error) {
	calls, err := Calls(ctx, s)
	return CreatedFor(calls, claim), err
}

// CreatedFor returns the calls of CreateVolume for the claim among the calls.
func CreatedFor(calls []trace.Call, claim *corev1.PersistentVolumeClaim) []trace.Call {
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
func MustBeAsked(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, judged func([]trace.Call) error) []trace.Call {
	return Await(ctx, s, claim, judged, func(ctx context.Context) ([]trace.Call, error) { return Created(ctx, s, claim) })
}

// Await waits until the calls that created returns satisfy the predicate, and returns them; created returns the calls of
// CreateVolume for the claim so far.
func Await(
	ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim,
	judged func([]trace.Call) error, created func(context.Context) ([]trace.Call, error),
) (calls []trace.Call) {
	s.Until(ctx, s.Target.Timeouts.Run, "calls of CreateVolume for claim "+claim.Name, func(ctx context.Context) (err error) {
		if calls, err = created(ctx); err != nil {
			return err
		}
		return judged(calls)
	})
	suite.Evidence(ctx, "CreateVolume of "+claim.Name, calls)
	return calls
}

// MustRepeat waits for calls of the method to the controller for the volume that satisfy the predicate. It warns by the
// requirement if their requests differ.
func MustRepeat(ctx context.Context, s *harness.Scenario, requirement string, volume *corev1.PersistentVolume, method string, judged func([]trace.Call) error) {
	mustRepeat(ctx, s, requirement, method, judged, func(ctx context.Context) ([]trace.Call, error) { return CallsFor(ctx, s, volume) })
}

// mustRepeat waits for calls of the method that satisfy the predicate; made returns the calls so far. It warns by the
// requirement if their requests differ.
func mustRepeat(
	ctx context.Context, s *harness.Scenario, requirement, method string, judged func([]trace.Call) error,
	made func(context.Context) ([]trace.Call, error),
) {
	var calls []trace.Call
	s.Until(ctx, s.Target.Timeouts.Run, "calls of "+method, func(ctx context.Context) error {
		all, err := made(ctx)
		if err != nil {
			return err
		}
		calls = predicate.CallsOf(all, method)
		return judged(calls)
	})
	suite.Evidence(ctx, method, calls)
	s.PlatformCheck(ctx, requirement, predicate.AskedAlike(calls))
}

// Request reads the request of a recorded call into the message.
func Request[M proto.Message](call trace.Call, into M) (M, error) {
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(call.Request, into); err != nil {
		return into, fmt.Errorf("reading the request of %s at %s: %w", call.Method, call.Time.Format(time.RFC3339Nano), err)
	}
	return into, nil
}

// MustHaveDeleted waits for a call of DeleteVolume for the volume that the answer to CreateVolume for the claim contains. A
// claim that is bound to a volume meanwhile is a mismatch.
func MustHaveDeleted(ctx context.Context, s *harness.Scenario, created trace.Call, claim *corev1.PersistentVolumeClaim) {
	var answer struct {
		Volume struct {
			ID string `json:"volume_id"`
		}
	}
	s.Need(json.Unmarshal(created.Response, &answer), "reading the answer to CreateVolume")
	s.Until(ctx, s.Target.Timeouts.Delete, "DeleteVolume of volume "+answer.Volume.ID, func(ctx context.Context) error {
		calls, err := Calls(ctx, s)
		if err := errors.Join(err, s.Reread(ctx, claim)); err != nil {
			return err
		}
		if deleted := predicate.CallsOf(predicate.CallsFor(calls, answer.Volume.ID), "DeleteVolume"); len(deleted) > 0 {
			suite.Evidence(ctx, "DeleteVolume", deleted[0])
			return nil
		}
		return errors.Join(predicate.ClaimWithoutVolume(claim), fmt.Errorf("no call of DeleteVolume names volume %q", answer.Volume.ID))
	})
}
