// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

var fourZones = Shape{
	Segments: 4, Kinds: []int{1, 2}, Uses: []Use{Device, Shared, SharedDevice, Readers}, Nodes: 4, Room: true,
	Grow: true, List: true, Get: true, Attach: true, ReadOnly: true, Stage: true, NodeGrow: true,
	Snapshots: true, Clones: true, ListSnapshots: true,
}

func TestASeedIsAPlan(t *testing.T) {
	if first, again := Draw(7, 500, fourZones), Draw(7, 500, fourZones); !reflect.DeepEqual(first, again) {
		t.Error("the same seed draws two plans")
	}
	if first, other := Draw(7, 500, fourZones), Draw(8, 500, fourZones); reflect.DeepEqual(first, other) {
		t.Error("two seeds draw the same plan")
	}
	if longer := Draw(7, 600, fourZones); !reflect.DeepEqual(longer[:500], Draw(7, 500, fourZones)) {
		t.Error("a longer plan begins otherwise")
	}
}

// TestPlansHaveEveryKind counts the contents of a few plans of the usual length: every move, every size, every limit,
// every capability, copies of both kinds, every use of a name, and every shape of requirement with every kind of
// volume, x below, at and above n.
func TestPlansHaveEveryKind(t *testing.T) {
	wanted := []string{
		"create a new name", "create a name that is taken", "create a name that was deleted", "delete again", "restore", "clone",
		"snapshot of a new name", "snapshot of a name that is taken", "list snapshots", "list snapshots of a volume", "list one snapshot",
		"publish read-only", "mount read-only", "twice", "at the same time",
	}
	for move := Create; move <= ListSnapshots; move++ {
		wanted = append(wanted, move.String())
	}
	for _, size := range []Size{Unit, Double, Fitting, TooLarge} {
		wanted = append(wanted, fmt.Sprintf("create, size %d", size), fmt.Sprintf("grow, size %d", size))
	}
	for _, limit := range []Limit{Loose, Exact, LimitOnly} {
		wanted = append(wanted, fmt.Sprintf("create, limit %d", limit), fmt.Sprintf("grow, limit %d", limit))
	}
	for _, use := range fourZones.Uses {
		wanted = append(wanted, fmt.Sprintf("create, use %d", use))
	}
	wanted = append(wanted, fmt.Sprintf("grow, size %d", Present))
	for _, x := range fourZones.Kinds {
		wanted = append(wanted, fmt.Sprintf("x = %d, neither", x), fmt.Sprintf("x = %d, both", x))
		for n := 1; n <= fourZones.Segments; n++ {
			wanted = append(wanted, fmt.Sprintf("x = %d, requisite of %d", x, n), fmt.Sprintf("x = %d, preferred of %d", x, n))
		}
	}
	found := map[string]int{}
	for seed := range int64(5) {
		for kind, times := range kinds(Draw(seed, 500, fourZones)) {
			found[kind] += times
		}
	}
	for _, kind := range wanted {
		if found[kind] == 0 {
			t.Errorf("no step is of the kind %q", kind)
		}
	}
}

// kinds counts the steps of each kind.
func kinds(plan []Step) map[string]int {
	found, volumes, snapshots := map[string]int{}, map[int]string{}, map[int]bool{}
	note := func(is bool, kind string, args ...any) {
		if is {
			found[fmt.Sprintf(kind, args...)]++
		}
	}
	for _, step := range requests(plan) {
		found[step.Move.String()]++
		note(step.Twice, "twice")
		note(len(step.Beside) > 0, "at the same time")
		switch step.Move {
		case Create:
			note(volumes[step.Name] == "", "create a new name")
			note(true, "create a name that %s", volumes[step.Name])
			volumes[step.Name] = "is taken"
			note(true, "create, size %d", step.Size)
			note(true, "create, limit %d", step.Limit)
			note(true, "create, use %d", step.Use)
			note(step.Snapshot > 0, "restore")
			note(step.Source > 0, "clone")
			note(!step.isCopy(), "x = %d, requisite of %d", step.X, len(step.Requisite))
			note(!step.isCopy(), "x = %d, preferred of %d", step.X, len(step.Preferred))
			note(len(step.Requisite) == 0 && len(step.Preferred) == 0, "x = %d, neither", step.X)
			note(len(step.Requisite) > 0 && len(step.Preferred) > 0, "x = %d, both", step.X)
		case Delete:
			note(volumes[step.Name] == "was deleted", "delete again")
			volumes[step.Name] = "was deleted"
		case Grow:
			note(true, "grow, size %d", step.Size)
			note(true, "grow, limit %d", step.Limit)
		case Snapshot:
			note(!snapshots[step.Snapshot], "snapshot of a new name")
			note(snapshots[step.Snapshot], "snapshot of a name that is taken")
			snapshots[step.Snapshot] = true
		case ListSnapshots:
			note(step.Name > 0, "list snapshots of a volume")
			note(step.Snapshot > 0, "list one snapshot")
		default:
			note(step.ReadOnly, "%s read-only", step.Move)
		}
	}
	return found
}

// requests returns the steps of the plan and their concurrent requests.
func requests(plan []Step) []Step {
	var all []Step
	for _, step := range plan {
		all = append(append(all, step), step.Beside...)
	}
	return all
}

// TestAPlanCreatesFewVolumes checks that a plan creates few enough volumes for a driver that takes a second for each: a
// fifth of the 450 volumes of the tier.
func TestAPlanCreatesFewVolumes(t *testing.T) {
	for seed := range int64(20) {
		created, exists := 0, map[int]bool{}
		for _, step := range requests(Draw(seed, 500, fourZones)) {
			switch {
			case step.Move == Create && !exists[step.Name]:
				created++
				exists[step.Name] = true
			case step.Move == Delete:
				exists[step.Name] = false
			}
		}
		if most := 90; created > most {
			t.Errorf("seed %d: the plan creates %d volumes, want no more than %d", seed, created, most)
		}
	}
}

func TestAPlanHasWhatTheDriverHas(t *testing.T) {
	always := []Move{Create, Again, Delete, Validate}
	for _, step := range requests(Draw(1, 500, Shape{Kinds: []int{1}})) {
		if !slices.Contains(always, step.Move) {
			t.Errorf("%s is drawn for a driver that does not have it", step.Move)
		}
		if len(step.Requisite)+len(step.Preferred) > 0 || step.Segment != 0 || step.Size > Double {
			t.Errorf("%+v is drawn for a driver without topology that does not tell its room", step)
		}
		if step.isCopy() || step.Use != Plain || step.ReadOnly {
			t.Errorf("%+v is drawn for a driver that has only plain volumes", step)
		}
	}
}

// TestRequestsAtTheSameTimeAreIndependent checks that concurrent requests are for different volumes and snapshots: the order
// of others would be undefined.
func TestRequestsAtTheSameTimeAreIndependent(t *testing.T) {
	for _, step := range Draw(1, 5000, fourZones) {
		volumes, snapshots := map[int]bool{}, map[int]bool{}
		if len(step.Beside) == 0 {
			continue
		}
		for _, one := range append([]Step{step}, step.Beside...) {
			if volumes[one.Name] || one.Snapshot > 0 && snapshots[one.Snapshot] || one.Source > 0 || one.Twice {
				t.Fatalf("%+v depends on another request at the same time", one)
			}
			volumes[one.Name], snapshots[one.Snapshot] = true, true
		}
	}
}

// TestRequirementsAreValid checks that plans contain no requirement that a CO must not send.
func TestRequirementsAreValid(t *testing.T) {
	for _, step := range Draw(1, 5000, fourZones) {
		seen := map[int]bool{}
		for _, segment := range step.Requisite {
			if seen[segment] {
				t.Fatalf("%v repeats a segment", step.Requisite)
			}
			seen[segment] = true
		}
		for _, segment := range step.Preferred {
			if len(step.Requisite) > 0 && !seen[segment] {
				t.Fatalf("%v is preferred outside requisite %v", step.Preferred, step.Requisite)
			}
		}
	}
}
