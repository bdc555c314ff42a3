// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"maps"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// ExpectSameVolume fails the case unless an OK answer to a repeated name is the volume of the earlier answer: by CV-02 for
// another volume_id, by CV-03 for another accessible_topology, and by VOL-12 for another volume_context. Topologies may be
// in other words, with fewer keys or more, as long as they are the same segments.
func (d *Driver) ExpectSameVolume(again, earlier Answer) {
	if again.Code != codes.OK {
		return
	}
	asked := "CreateVolume was asked again for the name " + earlier.Name
	suite.Must("CV-02", again.VolumeID == earlier.VolumeID,
		"%s, whose volume_id is %q, and answered with volume_id %q", asked, earlier.VolumeID, again.VolumeID)
	got, want := d.segments.StandingFor(again.Segments), d.segments.StandingFor(earlier.Segments)
	suite.Must("CV-03", got.Equal(want),
		"%s, whose volume is accessible from %s, and answered that it is accessible from %s", asked, earlier.Segments, again.Segments)
	suite.Must("VOL-12", maps.Equal(again.Context, earlier.Context),
		"%s, whose volume_context is %s, and answered with volume_context %s", asked, DescribeMap(earlier.Context), DescribeMap(again.Context))
}
