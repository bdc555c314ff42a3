// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/durable"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// errFault is the error of a step that fails.
var errFault = errors.New("input/output error")

// moment is right before or right after a step of a call.
type moment struct {
	number int // of all moments of the call, from 0
	step   string
	taken  bool
}

func (m moment) String() string {
	if m.taken {
		return fmt.Sprintf("%d, after %s", m.number, m.step)
	}
	return fmt.Sprintf("%d, before %s", m.number, m.step)
}

// at lets a call run until the moment, and then calls do, once.
func at(m moment, do func() error) durable.Watch {
	number := 0
	return func(string, bool) error {
		number++
		if number-1 == m.number {
			return do()
		}
		return nil
	}
}

// faulty is a call with its preparation.
type faulty struct {
	name string
	// prepare creates what the call needs, and returns the call.
	prepare func(*testController) func() error
}

// faultyCalls returns all calls that change the state.
func faultyCalls() []faulty {
	volumeAnd := func(more func(*testController, *csi.Volume) func() error) func(*testController) func() error {
		return func(c *testController) func() error {
			return more(c, c.create(with(request("volume", "Z2", "Z3"), "zones", "2")))
		}
	}
	return []faulty{
		{"CreateVolume", func(c *testController) func() error {
			return func() error {
				_, err := c.CreateVolume(c.t.Context(), with(request("volume", "Z2", "Z3"), "zones", "2"))
				return err
			}
		}},
		{"CreateVolume of a volume", volumeAnd(func(c *testController, v *csi.Volume) func() error {
			return func() error {
				_, err := c.CreateVolume(c.t.Context(), cloneOf("clone", v))
				return err
			}
		})},
		{"CreateVolume of a snapshot", volumeAnd(func(c *testController, v *csi.Volume) func() error {
			s := c.snapshot(snapshotRequest("snapshot", v))
			return func() error {
				_, err := c.CreateVolume(c.t.Context(), with(restoreOf("restored", s), "class", "fast"))
				return err
			}
		})},
		{"DeleteVolume", volumeAnd(func(c *testController, v *csi.Volume) func() error {
			return func() error {
				_, err := c.DeleteVolume(c.t.Context(), &csi.DeleteVolumeRequest{VolumeId: v.GetVolumeId()})
				return err
			}
		})},
		{"ControllerPublishVolume", volumeAnd(func(c *testController, v *csi.Volume) func() error {
			return func() error {
				_, err := c.ControllerPublishVolume(c.t.Context(), publishRequest(v, "n3"))
				return err
			}
		})},
		{"ControllerUnpublishVolume", volumeAnd(func(c *testController, v *csi.Volume) func() error {
			c.publish(v, "n3")
			return func() error {
				_, err := c.ControllerUnpublishVolume(c.t.Context(), &csi.ControllerUnpublishVolumeRequest{VolumeId: v.GetVolumeId()})
				return err
			}
		})},
		{"ControllerExpandVolume", volumeAnd(func(c *testController, v *csi.Volume) func() error {
			return func() error {
				_, err := c.ControllerExpandVolume(c.t.Context(), expandRequest(v, 25*mib))
				return err
			}
		})},
		{"ControllerModifyVolume", volumeAnd(func(c *testController, v *csi.Volume) func() error {
			return func() error {
				_, err := c.ControllerModifyVolume(c.t.Context(), modifyRequest(v, "thick"))
				return err
			}
		})},
		{"CreateSnapshot", volumeAnd(func(c *testController, v *csi.Volume) func() error {
			return func() error {
				_, err := c.CreateSnapshot(c.t.Context(), snapshotRequest("snapshot", v))
				return err
			}
		})},
		{"DeleteSnapshot", volumeAnd(func(c *testController, v *csi.Volume) func() error {
			s := c.snapshot(snapshotRequest("snapshot", v))
			return func() error {
				_, err := c.DeleteSnapshot(c.t.Context(), &csi.DeleteSnapshotRequest{SnapshotId: s.GetSnapshotId()})
				return err
			}
		})},
	}
}

// TestFaultAtEveryStep checks each call with a failure, or the end of the process, before and after each of its steps.
// Whatever the call returns, the reservations match the records and nothing on disk is without a record; and a repetition
// of the call has the normal effect.
func TestFaultAtEveryStep(t *testing.T) {
	for _, call := range faultyCalls() {
		var seen []moment
		c := newTestController(t)
		undisturbed := call.prepare(c)
		c.watch = func(step string, taken bool) error {
			seen = append(seen, moment{number: len(seen), step: step, taken: taken})
			return nil
		}
		if err := undisturbed(); err != nil {
			t.Fatalf("%s: %v", call.name, err)
		}
		want := c.state()
		if len(seen) < 2 {
			t.Fatalf("%s takes the steps %v, want at least one", call.name, seen)
		}
		for _, m := range seen {
			t.Run(fmt.Sprintf("%s fails at %s", call.name, m), func(t *testing.T) {
				c := newTestController(t)
				again := call.prepare(c)
				c.watch = at(m, func() error { return errFault })
				if err := again(); err == nil {
					t.Error("the call was answered with OK")
				}
				c.watch = nil
				c.expectBalance()
				c.expectState(again, want)
			})
			t.Run(fmt.Sprintf("%s is killed at %s", call.name, m), func(t *testing.T) {
				c := newTestController(t)
				again := call.prepare(c)
				c.killed(m.step, m.taken, func() { _ = again() })
				c.restart()
				c.expectBalance()
				c.expectNothingHalfDone()
				c.expectState(again, want)
			})
			// As if the disk of the volumes or of the records had broken for good: until it is repaired, the call cannot undo its
			// changes either.
			t.Run(fmt.Sprintf("%s fails from %s on", call.name, m), func(t *testing.T) {
				c := newTestController(t)
				again := call.prepare(c)
				number := 0
				c.watch = func(string, bool) error {
					number++
					if number > m.number {
						return errFault
					}
					return nil
				}
				if err := again(); err == nil {
					t.Error("the call was answered with OK")
				}
				c.watch = nil
				c.expectBalance()
				c.expectState(again, want)
			})
		}
	}
}

// expectState repeats a call, which must succeed, and checks the state afterwards and after a restart.
func (c *testController) expectState(again func() error, want string) {
	c.t.Helper()
	if err := again(); err != nil {
		c.t.Errorf("repeated, the call was answered with %v", err)
	}
	if got := c.state(); got != want {
		c.t.Errorf("repeated, the call left\n%swant\n%s", got, want)
	}
	c.restart()
	if got := c.state(); got != want {
		c.t.Errorf("after a restart there is\n%swant\n%s", got, want)
	}
	c.expectBalance()
}

// expectBalance checks that the reservations match the records, each in all of its
// segments, and that nothing is on disk without a record.
func (c *testController) expectBalance() {
	c.t.Helper()
	volumes, snapshots := c.records()
	owned := map[string]bool{}
	left := map[string]int64{}
	for class, bytes := range map[string]int64{"": segmentBytes, "fast": fastBytes} {
		for _, name := range []string{"Z2", "Z3", "Z4", "Z5"} {
			left[class+" "+name] = bytes
		}
	}
	take := func(id, class string, bytes int64, segments []topology.Segment) {
		owned[id] = true
		for _, segment := range segments {
			left[class+" "+segment[topology.ZoneKey]] -= bytes
		}
	}
	for _, v := range volumes {
		take(v.ID, v.Class, v.Reserved(), v.Segments)
	}
	for _, s := range snapshots {
		take(s.ID, s.Class, s.Bytes, s.Segments)
	}
	got := map[string]int64{}
	for _, usage := range c.Usage() {
		got[usage.Class+" "+usage.Segment[topology.ZoneKey]] = usage.AvailableBytes
	}
	if !maps.Equal(got, left) {
		c.t.Errorf("%v is available, and by the records it is %v", got, left)
	}
	for _, id := range slices.Concat(c.memory.IDs(), c.memory.SnapshotIDs()) {
		if !owned[id] {
			c.t.Errorf("%s is on disk, and no record is of it", id)
		}
	}
}

// expectNothingHalfDone checks that everything that has a record is whole.
func (c *testController) expectNothingHalfDone() {
	c.t.Helper()
	volumes, snapshots := c.records()
	for _, v := range volumes {
		if v.State != record.Ready || v.GrowingTo != 0 {
			c.t.Errorf("a restart left volume %q %s, growing to %d bytes", v.Name, v.State, v.GrowingTo)
		}
		if problems, err := c.memory.Check(c.t.Context(), v.ID, volume.Size{Bytes: v.Bytes}); err != nil || len(problems) > 0 {
			c.t.Errorf("a restart left volume %q with problems %v, %v", v.Name, problems, err)
		}
	}
	for _, s := range snapshots {
		if s.State != record.Ready || !slices.Contains(c.memory.SnapshotIDs(), s.ID) {
			c.t.Errorf("a restart left snapshot %q %s, and on disk are %v", s.Name, s.State, c.memory.SnapshotIDs())
		}
	}
}

func (c *testController) records() ([]record.Entry, []record.Snapshot) {
	c.t.Helper()
	volumes, _, err := c.store.Page("", 0, func(record.Volume) bool { return true })
	if err != nil {
		c.t.Fatal(err)
	}
	snapshots, _, err := c.store.SnapshotPage("", 0, func(record.Snapshot) bool { return true })
	if err != nil {
		c.t.Fatal(err)
	}
	return volumes, snapshots
}

// state returns the whole state, with names instead of ids, which differ each time.
func (c *testController) state() string {
	c.t.Helper()
	volumes, snapshots := c.records()
	names := map[string]string{}
	for _, v := range volumes {
		names[v.ID] = "volume " + v.Name
	}
	for _, s := range snapshots {
		names[s.ID] = "snapshot " + s.Name
	}
	var lines []string
	for _, v := range volumes {
		problems, err := c.memory.Check(c.t.Context(), v.ID, volume.Size{Bytes: v.Bytes})
		if err != nil {
			c.t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s: %s, %d and %d bytes of class %q, allocated %t, of %q %q, in %v, on %v, problems %v\n", names[v.ID],
			v.State, v.Bytes, v.GrowingTo, v.Class, v.Allocated, names[v.FromVolume], names[v.FromSnapshot], v.Segments, v.Nodes, problems))
	}
	for _, s := range snapshots {
		lines = append(lines, fmt.Sprintf("%s: %s, %d bytes of class %q, of %s, in %v\n", names[s.ID], s.State, s.Bytes, s.Class, names[s.VolumeID], s.Segments))
	}
	lines = append(lines, fmt.Sprintf("on disk are %d volumes and %d snapshots\n", len(c.memory.IDs()), c.snapshotsOnDisk()))
	slices.Sort(lines)
	return strings.Join(lines, "")
}
