// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// stuck limits how long calls take that cannot be waiting for anything, however slow
// the machine.
const stuck = time.Minute

// patience is the time after which a call gives up waiting: long enough to be answered if it did not have to wait.
const patience = 100 * time.Millisecond

// held is a call that is stopped before a change of the disk, until it is released.
type held struct {
	letGo func() error
}

// hold makes the call in the background, and returns when it is at the step.
func (c *testController) hold(at string, call func() error) held {
	c.t.Helper()
	arrived, proceed, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	c.watch = func(step string, taken bool) error {
		if step == at && !taken {
			close(arrived)
			<-proceed
		}
		return nil
	}
	go func() { ended <- call() }()
	select {
	case <-arrived:
	case err := <-ended:
		c.t.Fatalf("the call ended before %s: %v", at, err)
	}
	return held{letGo: func() error {
		close(proceed)
		return <-ended
	}}
}

// TestCallsForOneVolumeWait checks that calls for a volume wait for an earlier one, and get ABORTED when they give up
// waiting (GEN-02, GEN-03), while calls for other volumes go on.
func TestCallsForOneVolumeWait(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	expansion := c.hold("Resize", func() error {
		_, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib))
		return err
	})
	for name, call := range map[string]func(context.Context) error{
		"create": func(impatient context.Context) error {
			_, err := c.CreateVolume(impatient, request("volume", "Z2"))
			return err
		},
		"delete": func(impatient context.Context) error {
			_, err := c.DeleteVolume(impatient, &csi.DeleteVolumeRequest{VolumeId: v.GetVolumeId()})
			return err
		},
		"publish": func(impatient context.Context) error {
			_, err := c.ControllerPublishVolume(impatient, publishRequest(v, "n2"))
			return err
		},
		"unpublish": func(impatient context.Context) error {
			_, err := c.ControllerUnpublishVolume(impatient, &csi.ControllerUnpublishVolumeRequest{VolumeId: v.GetVolumeId()})
			return err
		},
		"expand": func(impatient context.Context) error {
			_, err := c.ControllerExpandVolume(impatient, expandRequest(v, 30*mib))
			return err
		},
		"modify": func(impatient context.Context) error {
			_, err := c.ControllerModifyVolume(impatient, modifyRequest(v, "thick"))
			return err
		},
		"snapshot": func(impatient context.Context) error {
			_, err := c.CreateSnapshot(impatient, snapshotRequest("snapshot", v))
			return err
		},
		"clone": func(impatient context.Context) error {
			_, err := c.CreateVolume(impatient, cloneOf("clone", v))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			impatient, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := call(impatient); status.Code(err) != codes.Aborted {
				t.Errorf("got %v, want ABORTED", err)
			}
		})
	}
	another := c.create(request("another", "Z2"))
	c.publish(another, "n2")
	c.snapshot(snapshotRequest("snapshot", another))
	c.expectBytes(v, 10*mib)

	if err := expansion.letGo(); err != nil {
		t.Error(err)
	}
	c.expectBytes(v, 20*mib)
}

// TestASourceWaitsForItsCopy checks that a source does not change until its copy is made: calls that delete or change it
// wait. Then all succeed.
func TestASourceWaitsForItsCopy(t *testing.T) {
	for _, test := range []struct {
		name  string
		at    string
		copy  func(context.Context, *testController, *csi.Volume, *csi.Snapshot) error
		other func(context.Context, *testController, *csi.Volume, *csi.Snapshot) error
	}{
		{"clone, and its source deleted", "Create", clone, deleteSource},
		{"clone, and its source expanded", "Create", clone, expandSource},
		{"clone, and its source published", "Create", clone, publishSource},
		{"snapshot, and its source deleted", "CreateSnapshot", takeSnapshot, deleteSource},
		{"snapshot, and its source expanded", "CreateSnapshot", takeSnapshot, expandSource},
		{"restore, and its source deleted", "Create", restore, deleteSnapshot},
		{"snapshot, and its name wanted for another", "CreateSnapshot", takeSnapshot, func(ctx context.Context, c *testController, _ *csi.Volume, _ *csi.Snapshot) error {
			_, err := c.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{Name: "copy", SourceVolumeId: "image-other"})
			if status.Code(err) == codes.AlreadyExists {
				return nil // as required, once the first snapshot has been taken
			}
			return err
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume", "Z2"))
			s := c.snapshot(snapshotRequest("snapshot", v))
			copying := c.hold(test.at, func() error { return test.copy(t.Context(), c, v, s) })

			impatient, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := test.other(impatient, c, v, s); status.Code(err) != codes.Aborted {
				t.Errorf("got %v, want ABORTED", err)
			}
			waited := make(chan error)
			go func() { waited <- test.other(t.Context(), c, v, s) }()
			c.expectBytes(v, 10*mib)
			if err := copying.letGo(); err != nil {
				t.Errorf("the copy: %v", err)
			}
			if err := <-waited; err != nil {
				t.Errorf("who waited for it: %v", err)
			}
		})
	}
}

// TestANameWaitsForADeletion checks that a name is in use until the deletion is over: a call for the name waits, and
// creates something new.
func TestANameWaitsForADeletion(t *testing.T) {
	for _, test := range []struct {
		name   string
		at     string
		delete func(context.Context, *testController, *csi.Volume, *csi.Snapshot) error
		create func(context.Context, *testController, *csi.Volume, *csi.Snapshot) (string, error)
	}{
		{"of a volume", "Delete", deleteSource, func(ctx context.Context, c *testController, _ *csi.Volume, _ *csi.Snapshot) (string, error) {
			response, err := c.CreateVolume(ctx, request("volume", "Z2"))
			return response.GetVolume().GetVolumeId(), err
		}},
		{"of a snapshot", "DeleteSnapshot", deleteSnapshot, func(ctx context.Context, c *testController, v *csi.Volume, _ *csi.Snapshot) (string, error) {
			response, err := c.CreateSnapshot(ctx, snapshotRequest("snapshot", v))
			return response.GetSnapshot().GetSnapshotId(), err
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume", "Z2"))
			s := c.snapshot(snapshotRequest("snapshot", v))
			deletion := c.hold(test.at, func() error { return test.delete(t.Context(), c, v, s) })

			impatient, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if _, err := test.create(impatient, c, v, s); status.Code(err) != codes.Aborted {
				t.Errorf("got %v, want ABORTED", err)
			}
			if err := deletion.letGo(); err != nil {
				t.Error(err)
			}
			id, err := test.create(t.Context(), c, v, s)
			if err != nil || id == v.GetVolumeId() || id == s.GetSnapshotId() {
				t.Errorf("got %s and %v, want something new", id, err)
			}
		})
	}
}

func clone(ctx context.Context, c *testController, v *csi.Volume, _ *csi.Snapshot) error {
	_, err := c.CreateVolume(ctx, cloneOf("copy", v))
	return err
}

func restore(ctx context.Context, c *testController, _ *csi.Volume, s *csi.Snapshot) error {
	_, err := c.CreateVolume(ctx, restoreOf("copy", s))
	return err
}

func takeSnapshot(ctx context.Context, c *testController, v *csi.Volume, _ *csi.Snapshot) error {
	_, err := c.CreateSnapshot(ctx, snapshotRequest("copy", v))
	return err
}

func deleteSource(ctx context.Context, c *testController, v *csi.Volume, _ *csi.Snapshot) error {
	_, err := c.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: v.GetVolumeId()})
	return err
}

func deleteSnapshot(ctx context.Context, c *testController, _ *csi.Volume, s *csi.Snapshot) error {
	_, err := c.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: s.GetSnapshotId()})
	return err
}

func expandSource(ctx context.Context, c *testController, v *csi.Volume, _ *csi.Snapshot) error {
	_, err := c.ControllerExpandVolume(ctx, expandRequest(v, 20*mib))
	return err
}

func publishSource(ctx context.Context, c *testController, v *csi.Volume, _ *csi.Snapshot) error {
	_, err := c.ControllerPublishVolume(ctx, publishRequest(v, "n2"))
	return err
}

// TestCopiesOfEachOtherDoNotDeadlock checks that calls that lock the same volumes, one by name and the other as a source,
// take the locks in the same order.
func TestCopiesOfEachOtherDoNotDeadlock(t *testing.T) {
	c := newTestController(t)
	a, b := c.create(request("a", "Z2")), c.create(request("b", "Z2"))
	s := c.snapshot(snapshotRequest("s", a))
	ctx, cancel := context.WithTimeout(t.Context(), stuck)
	defer cancel()
	restored := restoreOf("a", s)
	calls := map[string]func() (codes.Code, codes.Code){
		"a from b": func() (codes.Code, codes.Code) {
			return codeOf(c.CreateVolume(ctx, cloneOf("a", b))), codes.AlreadyExists
		},
		"b from a": func() (codes.Code, codes.Code) {
			return codeOf(c.CreateVolume(ctx, cloneOf("b", a))), codes.AlreadyExists
		},
		"a from s": func() (codes.Code, codes.Code) { return codeOf(c.CreateVolume(ctx, restored)), codes.AlreadyExists },
		"a from a": func() (codes.Code, codes.Code) {
			return codeOf(c.CreateVolume(ctx, cloneOf("a", a))), codes.AlreadyExists
		},
		"s of a": func() (codes.Code, codes.Code) {
			return codeOf(c.CreateSnapshot(ctx, snapshotRequest("s", a))), codes.OK
		},
		"s of b": func() (codes.Code, codes.Code) {
			return codeOf(c.CreateSnapshot(ctx, snapshotRequest("s", b))), codes.AlreadyExists
		},
		"a modify": func() (codes.Code, codes.Code) {
			return codeOf(c.ControllerModifyVolume(ctx, modifyRequest(a, "thin"))), codes.OK
		},
		"b publish": func() (codes.Code, codes.Code) {
			return codeOf(c.ControllerPublishVolume(ctx, publishRequest(b, "n2"))), codes.OK
		},
	}
	var wait sync.WaitGroup
	for name, call := range calls {
		for range 2 {
			wait.Go(func() {
				for range 300 {
					if got, want := call(); got != want {
						t.Errorf("%s: got %s, want %s", name, got, want)
						return
					}
				}
			})
		}
	}
	wait.Wait()
}

func codeOf[Response any](_ Response, err error) codes.Code { return status.Code(err) }

// TestManyCallsHaveOneEffect checks that many calls for one name, or for one volume,
// have one effect.
func TestManyCallsHaveOneEffect(t *testing.T) {
	const callers = 20
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	for _, test := range []struct {
		name string
		call func() (string, error)
		// taken is the room taken in the volume's zone, when all calls have returned.
		taken int64
	}{
		{"create", func() (string, error) {
			response, err := c.CreateVolume(t.Context(), request("created", "Z2"))
			return response.GetVolume().GetVolumeId(), err
		}, 20 * mib},
		{"clone", func() (string, error) {
			response, err := c.CreateVolume(t.Context(), cloneOf("clone", v))
			return response.GetVolume().GetVolumeId(), err
		}, 30 * mib},
		{"snapshot", func() (string, error) {
			response, err := c.CreateSnapshot(t.Context(), snapshotRequest("snapshot", v))
			return response.GetSnapshot().GetSnapshotId(), err
		}, 40 * mib},
		{"expand", func() (string, error) {
			response, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 15*mib))
			return fmt.Sprint(response.GetCapacityBytes()), err
		}, 45 * mib},
	} {
		t.Run(test.name, func(t *testing.T) {
			answers := make([]string, callers)
			var wait sync.WaitGroup
			for i := range callers {
				wait.Go(func() {
					var err error
					if answers[i], err = test.call(); err != nil {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			if same := slices.Compact(answers); len(same) != 1 || same[0] == "" {
				t.Errorf("got %v, want one answer", same)
			}
			c.expectTaken(map[string]int64{"Z2": test.taken})
		})
	}
	if volumes, snapshots := len(c.memory.IDs()), c.snapshotsOnDisk(); volumes != 3 || snapshots != 1 {
		t.Errorf("%d volumes and %d snapshots are on disk, want 3 and 1", volumes, snapshots)
	}
}

// TestCreationAndDeletionAtOnce checks that when many callers create and delete the same names, volumes and snapshots,
// each exists once or not at all, and nothing is left in the end.
func TestCreationAndDeletionAtOnce(t *testing.T) {
	c := newTestController(t)
	source := c.create(request("source", "Z2"))
	var wait sync.WaitGroup
	for i := range 12 {
		wait.Go(func() {
			for range 15 {
				s, err := c.CreateSnapshot(t.Context(), snapshotRequest(fmt.Sprint(i%3), source))
				if err != nil {
					t.Error(err)
					return
				}
				r := restoreOf(fmt.Sprint(i%4), s.GetSnapshot())
				v, restored := c.CreateVolume(t.Context(), r)
				switch status.Code(restored) {
				case codes.OK:
					if _, err := c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: v.GetVolume().GetVolumeId()}); err != nil {
						t.Error(err)
					}
				case codes.NotFound, codes.AlreadyExists: // another caller deleted the snapshot, or was faster with its own
				default:
					t.Error(restored)
				}
				if _, err := c.DeleteSnapshot(t.Context(), &csi.DeleteSnapshotRequest{SnapshotId: s.GetSnapshot().GetSnapshotId()}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	c.expectDisk(source.GetVolumeId())
	c.expectTaken(map[string]int64{"Z2": 10 * mib})
	if got := c.snapshotsOnDisk(); got != 0 {
		t.Errorf("%d snapshots are left on disk", got)
	}
}
