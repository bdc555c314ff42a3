// SPDX-License-Identifier: Apache-2.0

package interview

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
)

// Form is the access type of a volume, and its access mode.
type Form struct {
	Block bool
	Mode  csi.VolumeCapability_AccessMode_Mode
}

// String returns the form in the words of the specification.
func (f Form) String() string {
	if f.Block {
		return "a block volume with " + f.Mode.String()
	}
	return "a mounted volume with " + f.Mode.String()
}

// forms returns the forms to try until a volume is created, the most common first.
func forms(under *harness.Driver) []Form {
	usual := under.Profile().Plain().Mode()
	const shared = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	all := []Form{{Mode: usual}, {Block: true, Mode: usual}}
	if usual != shared {
		all = append(all, Form{Mode: shared})
	}
	return all
}

// create finds a size and a form of volume that the driver creates, and records further facts from one volume. If a refusal
// may be about the size or about something else, larger volumes of the most usual form are tried, because back ends often
// have a minimum size.
func (f *Findings) create(ctx context.Context, under *harness.Driver) error {
	for i, form := range forms(under) {
		var smallest int64
		for _, bytes := range Sizes(f.Rooms) {
			if bytes < smallest {
				continue
			}
			volume, err := f.try(ctx, under, form, bytes)
			if volume != nil {
				f.Volume = volume
				return f.tryBlock(ctx, under)
			}
			if why, _ := attempt.WhyUnanswered(err); why != "" {
				return fmt.Errorf("asking for a volume: %s", why)
			}
			code := status.Code(err)
			isSize := code == codes.OutOfRange || code == codes.ResourceExhausted
			if !isSize && (i > 0 || !mayBeSize(code)) {
				break // another size would not help
			}
			if !isSize {
				smallest = bytes
			}
		}
	}
	return nil
}

// mayBeSize reports whether drivers refuse a size with the code, which may also have other causes.
func mayBeSize(code codes.Code) bool {
	return code == codes.InvalidArgument || code == codes.Internal || code == codes.Unknown
}

// refused records a refusal, with any different answer to the same request in another form of requirement.
func (f *Findings) refused(what string, err error) {
	text := fmt.Sprintf("CreateVolume of %s answered %s", what, describe.Status(err))
	if !slices.Contains(f.Refusals, text) {
		f.Refusals = append(f.Refusals, text)
	}
}

// try creates a volume in the first form of requirement that the driver accepts, examines it, and removes it. first is the
// error for the form that Kubernetes uses.
func (f *Findings) try(ctx context.Context, under *harness.Driver, form Form, bytes int64) (volume *Volume, first error) {
	for _, required := range under.Forms() {
		request := requestFor(under, required.Asked, form, bytes)
		begin := time.Now()
		response, err := under.Controller.CreateVolume(ctx, request)
		if err == nil {
			f.asked = required.Asked
			made := response.GetVolume()
			volume = &Volume{Form: form, Bytes: max(bytes, made.GetCapacityBytes()), Accessible: messages.Segments(made.GetAccessibleTopology()), Took: time.Since(begin)}
			f.watch(ctx, under, volume)
			_ = under.StartOver(ctx) // leftovers are removed at the end, or reported
			return volume, nil
		}
		f.refused(fmt.Sprintf("%s and %d bytes", form, bytes), err)
		first = cmp.Or(first, err)
		if why, _ := attempt.WhyUnanswered(err); why != "" || !statuses.Untaken(err) && status.Code(err) != codes.Internal && status.Code(err) != codes.Unknown {
			break // another form would not help
		}
	}
	return nil, first
}

func requestFor(under *harness.Driver, asked model.Request, form Form, bytes int64) *csi.CreateVolumeRequest {
	request := under.ExactRequest(asked)
	request.CapacityRange = &csi.CapacityRange{RequiredBytes: bytes}
	capability := under.Mount()
	if form.Block {
		capability = under.Block()
	}
	request.VolumeCapabilities = []*csi.VolumeCapability{messages.As(capability, form.Mode)}
	return request
}

// watch records the decrease of the capacity of the volume's first segment.
func (f *Findings) watch(ctx context.Context, under *harness.Driver, volume *Volume) {
	for _, before := range f.Rooms {
		if before.Refused != "" || before.Segment != nil && !slices.ContainsFunc(volume.Accessible, before.Segment.Equal) {
			continue
		}
		if after := roomIn(ctx, under, before.Segment); after.Refused == "" {
			volume.Watched, volume.Taken = true, before.Available-after.Available
		}
		return
	}
}

// tryBlock records whether a driver that creates volumes with file systems also creates raw block volumes.
func (f *Findings) tryBlock(ctx context.Context, under *harness.Driver) error {
	if f.Volume.Form.Block {
		f.Block = true
		return nil
	}
	_, err := under.Controller.CreateVolume(ctx, requestFor(under, f.asked, Form{Block: true, Mode: f.Volume.Form.Mode}, f.Volume.Bytes))
	if why, _ := attempt.WhyUnanswered(err); why != "" {
		return fmt.Errorf("asking for a raw block volume: %s", why)
	}
	f.Block = err == nil
	if err != nil {
		f.refused("a block volume", err)
	}
	return nil
}
