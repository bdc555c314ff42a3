package service_test

import (
	"context"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// While one call works on a volume, others for it wait, and are ABORTED when
// they give up waiting (GEN-02, GEN-03); calls for other volumes go on.
func TestCallsForOneVolumeWait(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	growing, proceed := make(chan struct{}), make(chan struct{})
	c.volumes.before = func(call string) error {
		if call == "Grow" {
			close(growing)
			<-proceed
		}
		return nil
	}
	expanded := make(chan error)
	go func() {
		_, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib))
		expanded <- err
	}()
	<-growing

	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range map[string]func() error{
		"create": func() error {
			_, err := c.CreateVolume(impatient, request("volume", "Z2"))
			return err
		},
		"delete": func() error {
			_, err := c.DeleteVolume(impatient, &csi.DeleteVolumeRequest{VolumeId: v.GetVolumeId()})
			return err
		},
		"publish": func() error {
			_, err := c.ControllerPublishVolume(impatient, publishRequest(v, "n2"))
			return err
		},
		"unpublish": func() error {
			_, err := c.ControllerUnpublishVolume(impatient, &csi.ControllerUnpublishVolumeRequest{VolumeId: v.GetVolumeId()})
			return err
		},
		"expand": func() error {
			_, err := c.ControllerExpandVolume(impatient, expandRequest(v, 30*mib))
			return err
		},
	} {
		if err := call(); status.Code(err) != codes.Aborted {
			t.Errorf("%s: got %v, want ABORTED", name, err)
		}
	}
	c.publish(c.create(request("another", "Z2")), "n2")
	c.expectBytes(v, 10*mib)

	close(proceed)
	if err := <-expanded; err != nil {
		t.Error(err)
	}
	c.expectBytes(v, 20*mib)
}
