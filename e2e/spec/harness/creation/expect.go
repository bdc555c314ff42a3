// SPDX-License-Identifier: Apache-2.0

package creation

import (
	"context"
	"maps"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// ExpectAllowed fails the case unless the answer of CreateVolume is one that the specification allows, by the clauses
// that it contradicts. An answer that no MUST forbids but that users will regret is a warning. If the judgment depends
// on something that the driver does not report, such as room, the case is skipped.
func ExpectAllowed(ctx context.Context, got Answer, answers model.Answers) {
	finding := answers.Judge(got.Answer)
	switch finding.Grade {
	case model.Forbidden:
		suite.FailAbout(clausesOf(finding), "%s", describeFinding(got, answers, finding))
	case model.Discouraged:
		suite.WarnAbout(ctx, clausesOf(finding), "%s", describeFinding(got, answers, finding))
	case model.Unknown:
		suite.Skip(suite.ByEnvironment, "%s, and the answer was %s", finding.Reasons[0].Text, got)
	case model.Allowed:
	}
}

// ExpectNothingLeft fails the case unless the answer of CreateVolume is a failure with a message and without status
// details. Anything that the failed call left behind is a warning (CV-07). If nothing can show that, the case reports
// so.
func ExpectNothingLeft(ctx context.Context, got Answer) {
	suite.Must("CREATE-01", got.Code != codes.OK, "CreateVolume answered %s\nand should have failed", got)
	suite.Must("GEN-15", got.Message != "", "CreateVolume answered %s: the status has no message that a human can read", got)
	suite.Must("GEN-16", got.Details == 0, "CreateVolume answered %s: status.details has %d entries and must be empty", got, got.Details)
	if got.unseen {
		suite.Reduced(ctx, "whether the refused call left a volume behind is not known: the driver lists no volumes, and its capacity is not exact")
	}
	suite.Should(ctx, "CV-07", len(got.Left) == 0, "CreateVolume answered %s, and left something behind:\n%s", got, describe.Lines(got.Left))
}

// ExpectSame fails the case unless an OK answer to a repeated name describes the volume of the earlier answer: by CV-02
// for another volume_id, by CV-03 for another accessible_topology, and by VOL-12 for another volume_context. Topologies
// may be spelled differently, with fewer keys or more, as long as they are the same segments.
func ExpectSame(d *harness.Driver, again, earlier Answer) {
	if again.Code != codes.OK {
		return
	}
	asked := "CreateVolume was called again for the name " + earlier.Name
	suite.Must("CV-02", again.VolumeID == earlier.VolumeID,
		"%s, whose volume_id is %q, and answered with volume_id %q", asked, earlier.VolumeID, again.VolumeID)
	got, want := d.Room.Segments.StandingFor(again.Segments), d.Room.Segments.StandingFor(earlier.Segments)
	suite.Must("CV-03", got.Equal(want),
		"%s, whose volume is accessible from %s, and answered that it is accessible from %s", asked, earlier.Segments, again.Segments)
	suite.Must("VOL-12", maps.Equal(again.Context, earlier.Context),
		"%s, whose volume_context is %s, and answered with volume_context %s", asked, describe.Map(earlier.Context), describe.Map(again.Context))
}
