// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
)

// bytes is the minimum size of a volume.
type bytes int64

// sized is the history of the size of a volume.
type sized struct {
	*history[bytes]
	volume *csi.Volume
}

// historyOfSize returns the case about a volume that clients grow concurrently: none of the growths is
// lost.
func historyOfSize() harness.Case {
	return harness.Case{
		ID:           "history_of_size",
		Text:         "grows a volume for clients that call at once to the largest size that any of them was answered",
		Requirements: []string{"CE-02", "CE-13", "GEN-02", "GEN-03", "GEN-13"},
		Needs:        harness.Needs(harness.Volumes(4), harness.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			s := &sized{newHistory(driver, "volume "+volume.GetVolumeId(), bytes(volume.GetCapacityBytes())), volume}
			least, most := max(driver.Size(), volume.GetCapacityBytes()), growth.Size(driver)
			between := (least + most) / 2 // a driver may refuse this size
			to := func(bytes int64) func(ctx context.Context, client int) {
				return func(ctx context.Context, client int) {
					s.grow(ctx, client, bytes)
					s.look(ctx, client)
				}
			}
			s.atOnce(ctx, to(between), to(most))
			s.settle(ctx, func(ctx context.Context, client int) bool { return s.grow(ctx, client, least) })
			s.settle(ctx, s.look)
			s.judge(ctx)
		},
	}
}

// grow grows the volume to at least the given number of bytes.
func (s *sized) grow(ctx context.Context, client int, least int64) (settled bool) {
	mayGrow := func(before bytes, _ bool) []bytes { return []bytes{before, max(before, bytes(least))} }
	return s.make(client, fmt.Sprintf("ControllerExpandVolume to %d bytes", least), mayGrow, func() (answer[bytes], error) {
		response, err := s.driver.Controller.ControllerExpandVolume(ctx, growth.ControllerRequest(s.driver, s.volume, least))
		switch code := status.Code(err); code {
		case codes.OK:
			return told(response.GetCapacityBytes(), least), nil
		case codes.OutOfRange, codes.FailedPrecondition:
			return answer[bytes]{text: describe.Status(err), means: same}, nil
		default:
			return answer[bytes]{}, err
		}
	})
}

// same returns the effect of a call that grows nothing.
func same(before bytes, _ bool) []bytes { return []bytes{before} }

// told returns the effect of an answer with the size of the volume, at least the requested size: it
// never shrinks.
func told(size, least int64) answer[bytes] {
	return answer[bytes]{fmt.Sprintf("OK, %d bytes", size), func(before bytes, _ bool) []bytes {
		if size < least || bytes(size) < before {
			return nil
		}
		return []bytes{bytes(size)}
	}, "CE-13", "CE-13"}
}

// look reads the size. If the driver does not report it, there is nothing to learn.
func (s *sized) look(ctx context.Context, client int) (settled bool) {
	if !s.driver.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME) {
		return true
	}
	return s.make(client, "ControllerGetVolume", same, func() (answer[bytes], error) {
		response, err := s.driver.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: s.volume.GetVolumeId()})
		size := response.GetVolume().GetCapacityBytes()
		switch {
		case err != nil:
			return answer[bytes]{}, err
		case size == 0:
			return answer[bytes]{text: "OK, of unknown size", means: same}, nil
		default:
			return told(size, 0), nil
		}
	})
}
