package capacity

import (
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// everywhere are the driver's segments, or the nil one for a driver without topology.
func everywhere(under *harness.Driver) model.Set {
	if segments := under.Segments(); len(segments) > 0 {
		return segments
	}
	return model.Set{nil}
}

// kinds are the numbers of topologies that the profile's volumes are accessible from, as far as there are so many.
func kinds(under *harness.Driver) []int {
	var found []int
	for _, kind := range under.Profile().Volumes {
		if kind.AccessibleFrom <= len(everywhere(under)) {
			found = append(found, kind.AccessibleFrom)
		}
	}
	return found
}

// in asks for the volume in the segment, anywhere when that is nil.
func in(asked model.Request, segment model.Segment) model.Request {
	if segment == nil {
		return asked
	}
	return asked.Within(segment)
}

// requestFor asks for the capacity of a segment for volumes that are accessible from x topologies.
func requestFor(under *harness.Driver, x int, segment model.Segment) *csi.GetCapacityRequest {
	request := under.CapacityRequest(segment)
	request.Parameters, _ = under.Profile().Parameters(x)
	return request
}

// with are the parameters and one more.
func with(parameters map[string]string, key, value string) map[string]string {
	more := map[string]string{key: value}
	maps.Copy(more, parameters)
	return more
}
