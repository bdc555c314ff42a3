// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// forms returns the cases about the forms of a requirement that a CO may choose from, which other cases avoid if the driver
// does not accept them. T-PO-1 tests preferred alone, and T-NR no requirement.
func forms() []harness.Case {
	return casesOf([]question{
		{
			id: "requisite_and_preferred_of_one", text: "creates a volume in Z2 when it is all of requisite and all of preferred, as Kubernetes asks for the segment of a selected node",
			verifies: "TR-04 TR-07 PF-03",
			needs:    harness.Segments(1),
			exactly:  true,
			asked: func(driver *harness.Driver) []model.Request {
				return []model.Request{driver.Volume(1).Within(driver.Z2).Preferring(driver.Z2)}
			},
		},
		{
			id: "requisite_without_preferred", text: "creates a volume in Z2, the one requisite topology, when preferred is left out",
			verifies: "TR-03 TR-07 PF-01 PF-02",
			needs:    harness.Segments(1),
			exactly:  true,
			asked: func(driver *harness.Driver) []model.Request {
				return []model.Request{driver.Volume(1).Within(driver.Z2)}
			},
		},
	})
}

// askFree requests a volume without a requirement. The driver MAY choose the place then, so a driver that accepts every
// other request, and requires a requirement, gets a warning.
func askFree(ctx context.Context, driver *harness.Driver, asked model.Request) {
	got := creation.CreateExactly(ctx, driver, asked)
	if got.Code != codes.OK && driver.WantsRequirement() {
		creation.ExpectNothingLeft(ctx, got)
		suite.Warn(ctx, "CV-23", "CreateVolume without accessibility_requirements answered %s: the driver may choose where the volume is accessible from, and users whose CO sends none get no volume", got)
		return
	}
	judgeAnswer(ctx, got, model.AnswersTo(asked, driver.Room.World))
}

// skipIfUnwanted skips the case if the driver refuses a repeated name for lack of a requirement, as it does for any name,
// which T-NR reports.
func skipIfUnwanted(ctx context.Context, driver *harness.Driver, asked model.Request, again creation.Answer) {
	if again.Code == codes.OK || !asked.Free() || asked.Empty || !driver.WantsRequirement() {
		return
	}
	creation.ExpectNothingLeft(ctx, again)
	suite.Skip(suite.ByCapability, "CreateVolume accepts no request without accessibility_requirements, whether or not the name is new, which T-NR is about: %s", again)
}
