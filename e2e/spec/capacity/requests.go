// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"fmt"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/fill"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// claimed returns the needs of cases that do not compare capacity with the room that volumes take.
func claimed() []harness.Need {
	return harness.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY)
}

// everywhere returns the driver's segments, or a sample of many, or a nil one for a driver without topology.
func everywhere(driver *harness.Driver) model.Set { return orNil(driver.Sample()) }

// orNil returns the segments, or a nil one if there are none.
func orNil(segments model.Set) model.Set {
	if len(segments) == 0 {
		return model.Set{nil}
	}
	return segments
}

// kinds returns the numbers of topologies that the profile's volumes are accessible from, up to the number of segments.
func kinds(driver *harness.Driver) []int {
	var found []int
	for _, x := range driver.Profile().Numbers() {
		if x <= len(everywhere(driver)) {
			found = append(found, x)
		}
	}
	return found
}

// volumeIn requests a volume that is accessible from x topologies, in the segment, or anywhere if the segment is nil.
func volumeIn(driver *harness.Driver, x int, segment model.Segment) model.Request {
	if segment == nil {
		return driver.Volume(x)
	}
	return driver.Volume(x).Within(segment)
}

// choosesNoOthers reports whether a volume in one segment was refused because it is accessible from more: a driver MAY
// choose the others (TR-16), and T-GT-1 warns of one that does not.
func choosesNoOthers(ctx context.Context, x int, code codes.Code) bool {
	if x == 1 || code != codes.InvalidArgument {
		return false
	}
	suite.Reduced(ctx, "volumes for %d topologies were not checked: the driver refuses to choose any besides the requisite one", x)
	return true
}

// requestFor requests the capacity of a segment for volumes that are accessible from x topologies.
func requestFor(driver *harness.Driver, x int, segment model.Segment) *csi.GetCapacityRequest {
	kind, _ := driver.Profile().Kind(x)
	request := driver.Room.Request(segment)
	request.Parameters, request.VolumeCapabilities = kind.Parameters, []*csi.VolumeCapability{messages.As(driver.Capability(), kind.Mode())}
	return request
}

// describeRequest describes a request of GetCapacity.
func describeRequest(request *csi.GetCapacityRequest) string {
	text := "GetCapacity of everything"
	if topology := request.GetAccessibleTopology(); topology != nil {
		text = fmt.Sprintf("GetCapacity of %s", model.Segment(topology.GetSegments()))
	}
	if parameters := request.GetParameters(); len(parameters) > 0 {
		text += fmt.Sprintf(", parameters %s", describe.Map(parameters))
	}
	for _, capability := range request.GetVolumeCapabilities() {
		text += ", for " + describe.Capability(capability)
	}
	return text
}

// withParameter returns the parameters with one more.
func withParameter(parameters map[string]string, key, value string) map[string]string {
	more := map[string]string{key: value}
	maps.Copy(more, parameters)
	return more
}

// bytesOf returns the size of a volume in bytes: the requested size if the driver does not report it.
func bytesOf(driver *harness.Driver, volume *csi.Volume) int64 {
	if bytes := volume.GetCapacityBytes(); bytes > 0 {
		return bytes
	}
	return driver.Size()
}

func describeVolume(driver *harness.Driver, volume *csi.Volume) string {
	return fmt.Sprintf("a volume of %d bytes, accessible from %s,", bytesOf(driver, volume), messages.Segments(volume.GetAccessibleTopology()))
}

// leaveRoom fills the first segment except for about the size of one volume. It returns a volume in the segment, and the bytes
// that are left.
func leaveRoom(ctx context.Context, driver *harness.Driver) (volume *csi.Volume, bytes int64) {
	volume = driver.NeedVolume(ctx, volumeIn(driver, 1, driver.Z2))
	last := driver.NeedVolume(ctx, volumeIn(driver, 1, driver.Z2))
	fill.Segments(ctx, driver, driver.Z2)
	deletion.Need(ctx, driver, last)
	returned := driver.Settled(ctx, effect.Capacity, func() bool {
		bytes = available(ctx, driver, driver.Z2)
		return bytes >= bytesOf(driver, last)
	})
	if !returned {
		suite.CouldNotTell("%s was full, a volume of %d bytes was deleted there, and only %d bytes became available", driver.Z2, bytesOf(driver, last), bytes)
	}
	return volume, bytes
}
