// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// recovery is a start after a kill at an event of the scenario's call. It is itself interrupted at each of its events.
type recovery struct {
	scenario
	// left is the event of the call; "" means a start in an empty directory, before any call.
	left event
}

// cut is an interrupted call.
type cut struct {
	// scenario is the name of its scenario.
	scenario string
	at       event
}

// controllerRecoveries returns the starts that make the controller finish or undo
// something.
func controllerRecoveries() []recovery {
	first := scenarioNamed(controllerScenarios(), "CreateVolume thin image")
	first.given = nil
	return append([]recovery{{scenario: first}}, recoveries(controllerScenarios(), []cut{
		{"CreateVolume thin image", "before image: name"},
		{"CreateVolume image from volume", "before commit volume ready"},
		{"CreateVolume dir from volume", "before dir: name"},
		{"CreateVolume dir from snapshot", "before commit volume ready"},
		{"CreateSnapshot of image", "before image: name"},
		{"CreateSnapshot of dir in one zone of two", "before commit snapshot ready"},
		{"DeleteVolume image", "after commit volume deleting"},
		{"DeleteVolume dir", "after dir: to trash"},
		{"DeleteSnapshot of image", "after commit snapshot deleting"},
		{"DeleteSnapshot of dir", "after commit snapshot deleting"},
		{"CreateVolumeGroupSnapshot of image and dir", "before commit group snapshot ready"},
		{"DeleteVolumeGroupSnapshot", "after commit group snapshot deleting"},
		{"ControllerExpandVolume thin image", "before image: size"},
		{"ControllerExpandVolume allocated image", "after image: allocate"},
		{"ControllerExpandVolume dir", "before dir: write size"},
	})...)
}

// nodeRecoveries returns the starts that make the node clean up its records.
func nodeRecoveries() []recovery {
	return recoveries(nodeScenarios(), []cut{
		{"NodeStageVolume dir", "before name usage"},
		{"NodeUnpublishVolume dir", "before remove usage"},
	})
}

func recoveries(scenarios []scenario, cuts []cut) []recovery {
	var all []recovery
	for _, c := range cuts {
		all = append(all, recovery{scenario: scenarioNamed(scenarios, c.scenario), left: c.at})
	}
	return all
}

func scenarioNamed(all []scenario, name string) scenario {
	n := slices.IndexFunc(all, func(s scenario) bool { return s.name == name })
	if n < 0 {
		panic("there is no scenario " + name)
	}
	return all[n]
}

func (r recovery) title() string {
	if r.left == "" {
		return "in an empty directory"
	}
	return fmt.Sprintf("%s killed %s", r.name, r.left)
}

// interrupt returns a life whose next start has something to finish or undo.
func (r recovery) interrupt(t *testing.T, ref reference) *life {
	t.Helper()
	if r.left == "" {
		return &life{t: t, at: newLayout(t), names: map[string]string{}}
	}
	l := r.begin(t)
	n := slices.Index(ref.events, r.left)
	if n < 0 {
		t.Fatalf("%s has no event %q: it has %q", r.name, r.left, ref.events)
	}
	if _, err := l.send(r.call, fault{Kind: kill, At: n, Event: r.left}); err == nil || !l.ended() {
		t.Fatalf("the process should have been killed, and the call answers %v", err)
	}
	return l
}

// steps returns the events at which the start is interrupted. The events that check the directories occur in every start,
// and are included only once.
func (r recovery) steps(t *testing.T, ref reference) []event {
	t.Helper()
	l := r.interrupt(t, ref)
	d := start(t, l.at)
	d.kill()
	own := func(e event) bool {
		return r.left == "" || !strings.HasPrefix(string(e), "before data:") && !strings.HasPrefix(string(e), "after data:")
	}
	if !slices.ContainsFunc(d.started.Events, own) {
		t.Fatalf("the start takes no step, so that there is nothing to crash at: %q", d.started.Events)
	}
	for n, e := range d.started.Events {
		if !own(e) {
			d.started.Events[n] = noEvent
		}
	}
	return d.started.Events
}

// crash runs one case. A driver that survives the fault at its start may serve nevertheless, and then goes on or, if
// restarts is true, is replaced by the next.
func (r recovery) crash(t *testing.T, ref reference, f fault, restarts bool) {
	l := r.interrupt(t, ref)
	l.driver = startWith(t, l.at, f)
	serves := l.connection != nil && l.started.Failed == ""
	switch {
	case f.kills() && (serves || !l.ended()):
		t.Fatal("the process should have been killed while it started")
	case !f.kills() && !slices.Contains(l.started.Events, f.Event):
		t.Fatalf("the fault at %q did not come: there were %q", f.Event, l.started.Events)
	// Only the next start of the node removes what this one could not.
	case !serves || restarts || r.between:
		l.restart()
		r.wantKept(l, ref)
	}
	if f.Kind != killLast {
		l.wantRepeated(r.scenario, ref)
	}
	l.wantEmpty(ref)
}

// test runs all cases of the recovery.
func (r recovery) test(t *testing.T, m *matrix) {
	ref := r.run(t)
	m.test(t, "start", r.steps(t, ref), func(t *testing.T, f fault, restarts bool) { r.crash(t, ref, f, restarts) })
}
