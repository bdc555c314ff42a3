// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// deleteFromDisk removes a volume from the disk behind the driver's back.
func (c *testController) deleteFromDisk(v *csi.Volume) {
	c.t.Helper()
	if err := c.memory.Delete(c.t.Context(), v.GetVolumeId()); err != nil {
		c.t.Fatal(err)
	}
}

func TestGetVolumeHealth(t *testing.T) {
	c := newTestController(t)
	healthy, lost, truncated := c.create(request("healthy")), c.create(request("lost")), c.create(request("truncated"))
	c.deleteFromDisk(lost)
	c.deleteFromDisk(truncated)
	if err := c.memory.Create(t.Context(), truncated.GetVolumeId(), volume.Size{Bytes: 10*mib - 1}, volume.Origin{}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		given  *csi.Volume
		reason string // "" means healthy
	}{
		{"a healthy volume", healthy, ""},
		{"a lost volume", lost, "VolumeMissing"},
		{"a truncated volume", truncated, "VolumeTruncated"},
	} {
		t.Run(test.name, func(t *testing.T) {
			response, err := c.ControllerGetVolumeHealth(t.Context(), &csi.ControllerGetVolumeHealthRequest{VolumeId: test.given.GetVolumeId()})
			if err != nil {
				t.Fatal(err)
			}
			health := response.GetVolumeHealth()
			if health.GetVolumeId() != test.given.GetVolumeId() {
				t.Errorf("got the health of %q, want of %q", health.GetVolumeId(), test.given.GetVolumeId())
			}
			statuses := health.GetHealthStatuses()
			if test.reason == "" {
				if len(statuses) != 0 {
					t.Errorf("got %v, want nothing", statuses)
				}
				return
			}
			if len(statuses) != 1 || statuses[0].GetReason() != test.reason || statuses[0].GetStatus() != csi.VolumeHealthErrorType_DATA_LOSS || statuses[0].GetMessage() == "" {
				t.Errorf("got %v, want DATA_LOSS for %s and a message", statuses, test.reason)
			}
		})
	}
	_, err := c.ControllerGetVolumeHealth(t.Context(), &csi.ControllerGetVolumeHealthRequest{})
	expectRefused(t, err, codes.InvalidArgument, "volume_id is required")
	_, err = c.ControllerGetVolumeHealth(t.Context(), &csi.ControllerGetVolumeHealthRequest{VolumeId: "image-" + uuid.NewString()})
	expectRefused(t, err, codes.NotFound, "there is no volume")
	c.watch = failing("Check", false, errors.New("the disk is on fire"))
	_, err = c.ControllerGetVolumeHealth(t.Context(), &csi.ControllerGetVolumeHealthRequest{VolumeId: healthy.GetVolumeId()})
	expectRefused(t, err, codes.Internal, "the disk is on fire")
}

// TestVolumeHealthOfSeveralProblems checks that the severity, reason and message of a
// problem are passed on as they are.
func TestVolumeHealthOfSeveralProblems(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume"))
	var want []*csi.VolumeHealth_VolumeHealthEntry
	for severity, status := range map[volume.Severity]csi.VolumeHealthErrorType{
		volume.Degraded:     csi.VolumeHealthErrorType_DEGRADED,
		volume.Inaccessible: csi.VolumeHealthErrorType_INACCESSIBLE,
		volume.DataLoss:     csi.VolumeHealthErrorType_DATA_LOSS,
		0:                   csi.VolumeHealthErrorType_UNKNOWN_VOLUME_HEALTH_TYPE,
	} {
		problem := volume.Problem{Severity: severity, Reason: fmt.Sprintf("Reason%d", severity), Message: fmt.Sprintf("message %d", severity)}
		c.disk.problems[v.GetVolumeId()] = append(c.disk.problems[v.GetVolumeId()], problem)
		want = append(want, &csi.VolumeHealth_VolumeHealthEntry{Status: status, Reason: problem.Reason, Message: problem.Message})
	}
	health := &csi.VolumeHealth{VolumeId: v.GetVolumeId(), HealthStatuses: want}
	one, err := c.ControllerGetVolumeHealth(t.Context(), &csi.ControllerGetVolumeHealthRequest{VolumeId: v.GetVolumeId()})
	if err != nil || !proto.Equal(one.GetVolumeHealth(), health) {
		t.Errorf("got %v and %v, want %v", one, err, health)
	}
	all, err := c.ControllerListVolumeHealth(t.Context(), &csi.ControllerListVolumeHealthRequest{})
	if err != nil || len(all.GetEntries()) != 1 || !proto.Equal(all.GetEntries()[0], health) {
		t.Errorf("got %v and %v, want %v", all, err, health)
	}
}

func TestVolumeHealthSaysNoMoreThanAFieldHolds(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume"))
	c.disk.problems[v.GetVolumeId()] = []volume.Problem{{Severity: volume.Degraded, Reason: "Slow", Message: strings.Repeat("long ", 30)}}
	health, err := c.ControllerGetVolumeHealth(t.Context(), &csi.ControllerGetVolumeHealthRequest{VolumeId: v.GetVolumeId()})
	if err != nil {
		t.Fatal(err)
	}
	message := health.GetVolumeHealth().GetHealthStatuses()[0].GetMessage()
	if len(message) > 128 || !strings.HasPrefix(message, "long long") {
		t.Errorf("got a message of %d bytes, %q, want the beginning of the problem's in 128 at most", len(message), message)
	}
}

func TestListVolumeHealth(t *testing.T) {
	c := newTestController(t)
	var ill []string
	for i := range 205 { // several pages of records
		v := c.create(sized(request(fmt.Sprint(i)), 1))
		if i%50 == 4 {
			c.deleteFromDisk(v)
			ill = append(ill, v.GetVolumeId())
		}
	}
	for _, entries := range []int32{0, 1, 2, 4, 5, 6} {
		t.Run(fmt.Sprintf("in pages of %d", entries), func(t *testing.T) {
			var got []string
			token := ""
			for {
				page, err := c.ControllerListVolumeHealth(t.Context(), &csi.ControllerListVolumeHealthRequest{MaxEntries: entries, StartingToken: token})
				if err != nil {
					t.Fatal(err)
				}
				if entries > 0 && len(page.GetEntries()) > int(entries) {
					t.Fatalf("a page has %d entries", len(page.GetEntries()))
				}
				for _, health := range page.GetEntries() {
					got = append(got, health.GetVolumeId())
					if len(health.GetHealthStatuses()) != 1 || health.GetHealthStatuses()[0].GetReason() != "VolumeMissing" {
						t.Errorf("got %v, want the volume missing", health)
					}
				}
				if token = page.GetNextToken(); token == "" {
					break
				}
			}
			if !slices.Equal(got, ill) {
				t.Errorf("got %v, want %v", got, ill)
			}
		})
	}
}

func TestListVolumeHealthRefuses(t *testing.T) {
	c := newTestController(t)
	c.create(request("volume"))
	for _, token := range []string{"0", "invalid-token", uuid.NewString(), strings.Repeat("0", 1<<12)} {
		_, err := c.ControllerListVolumeHealth(t.Context(), &csi.ControllerListVolumeHealthRequest{StartingToken: token})
		expectRefused(t, err, codes.Aborted, "starting_token")
	}
	_, err := c.ControllerListVolumeHealth(t.Context(), &csi.ControllerListVolumeHealthRequest{MaxEntries: -1})
	expectRefused(t, err, codes.InvalidArgument, "max_entries must not be negative")
	c.watch = failing("Check", true, errors.New("the disk is on fire"))
	_, err = c.ControllerListVolumeHealth(t.Context(), &csi.ControllerListVolumeHealthRequest{})
	expectRefused(t, err, codes.Internal, "the disk is on fire")
}

// TestVolumeHealthOfWhatIsBeingDeleted checks that a volume that is missing because it is being deleted is not reported,
// whether the deletion failed halfway or began after the call.
func TestVolumeHealthOfWhatIsBeingDeleted(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(*testController, *csi.Volume)
	}{
		{"half way", func(c *testController, v *csi.Volume) {
			c.watch = failing("Delete", true, errors.New("the disk is on fire"))
			if _, err := c.DeleteVolume(c.t.Context(), &csi.DeleteVolumeRequest{VolumeId: v.GetVolumeId()}); err == nil {
				c.t.Fatal("the deletion did not fail")
			}
			c.watch = nil
		}},
		{"meanwhile", func(c *testController, v *csi.Volume) {
			c.watch = func(step string, taken bool) error {
				if step == "Check" && !taken {
					c.watch = nil
					c.delete(v)
				}
				return nil
			}
		}},
	} {
		t.Run(test.name+", asked for it", func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume"))
			test.prepare(c, v)
			response, err := c.ControllerGetVolumeHealth(t.Context(), &csi.ControllerGetVolumeHealthRequest{VolumeId: v.GetVolumeId()})
			if err != nil || len(response.GetVolumeHealth().GetHealthStatuses()) != 0 {
				t.Errorf("got %v and %v, want nothing wrong", response, err)
			}
		})
		t.Run(test.name+", asked for all", func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume"))
			test.prepare(c, v)
			response, err := c.ControllerListVolumeHealth(t.Context(), &csi.ControllerListVolumeHealthRequest{})
			if err != nil || len(response.GetEntries()) != 0 {
				t.Errorf("got %v and %v, want nothing wrong", response, err)
			}
		})
	}
}
