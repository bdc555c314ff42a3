// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// TestExpandVolumeThatFailsOnDisk checks that an expansion that failed may have
// happened on disk: its room stays taken, and the next call finishes it.
func TestExpandVolumeThatFailsOnDisk(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	c.watch = failing("Resize", true, fmt.Errorf("allocating: %w", syscall.ENOSPC))
	_, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib))
	expectRefused(t, err, codes.ResourceExhausted, "no space left on device")
	c.watch = failing("Resize", true, errors.New("the disk is on fire"))
	_, err = c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib))
	expectRefused(t, err, codes.Internal, "the disk is on fire")
	c.expectBytes(v, 10*mib)
	c.expectTaken(map[string]int64{"Z2": 20 * mib})

	c.watch = nil
	response, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 15*mib))
	if err != nil || response.GetCapacityBytes() != 20*mib {
		t.Errorf("got %v and %v, want 20 MiB, as the disk may have that already", response, err)
	}
	c.expectBytes(v, 20*mib)
	c.expectTaken(map[string]int64{"Z2": 20 * mib})
}

// TestExpandVolumeToLessThanWhatFailed checks that a failed expansion keeps only the part reserved that is on disk, and
// that a smaller expansion may follow, as Kubernetes sends it when a claim is lowered after a failure
// (RecoverVolumeExpansionFailure).
func TestExpandVolumeToLessThanWhatFailed(t *testing.T) {
	full := fmt.Errorf("allocating: %w", syscall.ENOSPC)
	for _, test := range []struct {
		name  string
		asked int64
		// watch makes the expansion fail; nil if it fails by itself.
		watch durable.Watch
		code  codes.Code
		// taken is the room that the volume of 10 MiB then reserves, and want its room after 15 MiB are requested.
		taken, want int64
	}{
		{"its zone has no room", segmentBytes + 1, nil, codes.ResourceExhausted, 10 * mib, 15 * mib},
		{"the disk has no room", 20 * mib, failing("Resize", false, full), codes.ResourceExhausted, 10 * mib, 15 * mib},
		{"the disk grew all the same", 20 * mib, failing("Resize", true, full), codes.ResourceExhausted, 20 * mib, 20 * mib},
		{"the disk has no room and cannot be asked", 20 * mib, func(step string, _ bool) error {
			if step == "Resize" || step == "Size" {
				return full
			}
			return nil
		}, codes.ResourceExhausted, 20 * mib, 15 * mib},
		{"it cannot be recorded", 20 * mib, failing("commit volume ready", false, errFault), codes.Internal, 10 * mib, 15 * mib},
		{"it is recorded all the same", 20 * mib, at(moment{number: 1}, func() error { return errFault }), codes.Internal, 10 * mib, 15 * mib},
		{"it and its end are recorded all the same", 20 * mib, failing("commit volume ready", true, errFault), codes.Internal, 10 * mib, 15 * mib},
		{"its end cannot be recorded", 20 * mib, func() durable.Watch {
			asked := false
			return func(step string, _ bool) error {
				asked = asked || step == "Resize"
				if asked && step != "Size" {
					return full
				}
				return nil
			}
		}(), codes.ResourceExhausted, 20 * mib, 15 * mib},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume", "Z2"))
			c.watch = test.watch
			_, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, test.asked))
			expectRefused(t, err, test.code, "")
			c.watch = nil
			c.expectBytes(v, 10*mib)
			c.expectTaken(map[string]int64{"Z2": test.taken})
			c.expectBalance()

			less := expandRequest(v, 15*mib)
			less.CapacityRange.LimitBytes = test.want
			if _, err := c.ControllerExpandVolume(t.Context(), less); err != nil {
				t.Fatal(err)
			}
			c.expectGrown(v, test.want)
		})
	}
}

// TestExpandVolumeForACallerThatLeaves checks that an expansion is taken back even if
// its caller does not wait.
func TestExpandVolumeForACallerThatLeaves(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	ctx, leave := context.WithCancel(t.Context())
	c.watch = func(step string, _ bool) error {
		if step != "Resize" {
			return nil
		}
		leave()
		return ctx.Err()
	}
	_, err := c.ControllerExpandVolume(ctx, expandRequest(v, 20*mib))
	expectRefused(t, err, codes.Canceled, "context canceled")
	c.expectGrown(v, 10*mib)
}

// expectGrown checks that the volume in Z2 has the given size, also on disk, and reserves no more.
func (c *testController) expectGrown(v *csi.Volume, bytes int64) {
	c.t.Helper()
	c.expectBytes(v, bytes)
	c.expectTaken(map[string]int64{"Z2": bytes})
	if has, err := c.memory.Size(c.t.Context(), v.GetVolumeId()); err != nil || has != bytes {
		c.t.Errorf("on disk the volume has %d bytes (%v), want %d", has, err, bytes)
	}
}

// TestExpandVolumeToLessThanWhatARestartLeft checks that a growth that a restart could not finish need not be finished
// later, whether the next call requests less or the present size.
func TestExpandVolumeToLessThanWhatARestartLeft(t *testing.T) {
	for _, want := range []int64{10 * mib, 15 * mib} {
		t.Run(fmt.Sprintf("%d bytes", want), func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume", "Z2"))
			c.killed("Resize", false, func() { _, _ = c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib)) })
			if err := c.store.Close(); err != nil {
				t.Fatal(err)
			}
			c.watch = failing("Resize", false, syscall.ENOSPC)
			c.start()
			c.watch = nil
			c.expectTaken(map[string]int64{"Z2": 20 * mib})
			if _, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, want)); err != nil {
				t.Fatal(err)
			}
			c.expectGrown(v, want)
			c.restart()
			c.expectGrown(v, want)
		})
	}
}

// TestExpandVolumeAfterTwoFailures checks that the disk may have the first of two failed expansions.
func TestExpandVolumeAfterTwoFailures(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	c.watch = failing("Resize", true, errFault)
	_, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib))
	expectRefused(t, err, codes.Internal, errFault.Error())
	c.watch = failing("Resize", false, errFault)
	_, err = c.ControllerExpandVolume(t.Context(), expandRequest(v, 30*mib))
	expectRefused(t, err, codes.Internal, errFault.Error())
	c.watch = nil
	c.expectTaken(map[string]int64{"Z2": 20 * mib})
	response, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 15*mib))
	if err != nil || response.GetCapacityBytes() != 20*mib {
		t.Errorf("got %v and %v, want the 20 MiB that the disk has", response, err)
	}
	c.expectGrown(v, 20*mib)
}

// TestExpandVolumeThatWasLost checks that a lost volume is NOT_FOUND, and that the capacity for its new size stays
// reserved: a missing disk cannot be measured.
func TestExpandVolumeThatWasLost(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	if err := c.memory.Delete(t.Context(), v.GetVolumeId()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib))
		expectRefused(t, err, codes.NotFound, "no volume is called")
		c.expectTaken(map[string]int64{"Z2": 20 * mib})
	}
	c.delete(v)
	c.expectTaken(nil)
}
