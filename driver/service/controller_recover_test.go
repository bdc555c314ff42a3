package service_test

import (
	"errors"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// errKilled stands for the end of the process.
var errKilled = errors.New("killed")

// killed makes a call during which the process ends: right before, or right
// after, the disk does as it is told.
func (c *testController) killed(moment string, call func()) {
	c.t.Helper()
	kill := func(string) error { panic(errKilled) }
	switch moment {
	case "before":
		c.volumes.before = kill
	case "after":
		c.volumes.after = kill
	}
	defer func() {
		if reason, _ := recover().(error); !errors.Is(reason, errKilled) {
			c.t.Fatalf("the process was to be killed, and ended with %v", reason)
		}
	}()
	call()
}

func TestKilledWhileCreating(t *testing.T) {
	for _, moment := range []string{"before", "after"} {
		t.Run(moment+" the disk", func(t *testing.T) {
			c := newTestController(t)
			kept := c.create(request("kept", "Z2"))
			c.killed(moment, func() { _, _ = c.CreateVolume(t.Context(), request("volume", "Z2")) })
			c.restart()
			c.expectDisk(kept.GetVolumeId())
			c.expectTaken(map[string]int64{"Z2": 10 * mib})

			v := c.create(request("volume", "Z3"))
			c.expectDisk(kept.GetVolumeId(), v.GetVolumeId())
			c.expectTaken(map[string]int64{"Z2": 10 * mib, "Z3": 10 * mib})
		})
	}
}

func TestKilledWhileDeleting(t *testing.T) {
	for _, moment := range []string{"before", "after"} {
		t.Run(moment+" the disk", func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume", "Z2"))
			deletion := &csi.DeleteVolumeRequest{VolumeId: v.GetVolumeId()}
			c.killed(moment, func() { _, _ = c.DeleteVolume(t.Context(), deletion) })
			c.restart()
			c.expectDisk()
			c.expectTaken(nil)
			if _, err := c.DeleteVolume(t.Context(), deletion); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestKilledWhileExpanding(t *testing.T) {
	for _, moment := range []string{"before", "after"} {
		t.Run(moment+" the disk", func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume", "Z2"))
			c.killed(moment, func() { _, _ = c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib)) })
			c.restart()
			c.expectBytes(v, 20*mib)
			c.expectTaken(map[string]int64{"Z2": 20 * mib})
			response, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib))
			if err != nil || response.GetCapacityBytes() != 20*mib {
				t.Errorf("got %v and %v, want 20 MiB", response, err)
			}
		})
	}
}

func TestRestart(t *testing.T) {
	c := newTestController(t)
	r := request("volume", "Z2", "Z3")
	r.Parameters = map[string]string{"zones": "2"}
	v := c.create(r)
	c.publish(v, "n2")
	c.restart()
	c.expectTaken(map[string]int64{"Z2": 10 * mib, "Z3": 10 * mib})
	c.expectOn(v, "n2")
	if again := c.create(r); again.GetVolumeId() != v.GetVolumeId() {
		t.Errorf("the name has volume %s, want %s", again.GetVolumeId(), v.GetVolumeId())
	}
	_, err := c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: v.GetVolumeId()})
	if err == nil {
		t.Error("a published volume was deleted")
	}
}
