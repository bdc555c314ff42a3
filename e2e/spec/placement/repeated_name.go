// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/fill"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// repetition is a case that requests a volume, and then others with its name.
type repetition struct {
	id, text, verifies string
	needs              []harness.Need
	// first requests the volume, and again others with its name.
	first func(driver *harness.Driver) model.Request
	again func(driver *harness.Driver) []model.Request
	// exactly says that the case is about the form of those requests.
	exactly bool
	// full lists the zones that are filled once the volume exists.
	full string
}

func (r repetition) asCase() harness.Case {
	needs := harness.Needs(r.needs, harness.Volumes(volumesEach))
	if r.full != "" {
		needs = harness.Needs(needs, harness.Exhaustion())
	}
	return harness.Case{
		ID: r.id, Text: r.text, Requirements: strings.Fields(r.verifies), Needs: needs,
		Run: func(ctx context.Context, driver *harness.Driver) {
			first := mustCreate(ctx, driver, r.first(driver))
			if r.full != "" {
				fill.Segments(ctx, driver, zonesOf(driver, r.full)...)
			}
			for _, asked := range r.again(driver) {
				if r.exactly {
					askAgainExactly(ctx, driver, first, asked)
				} else {
					askAgain(ctx, driver, first, asked)
				}
			}
		},
	}
}

// repeatedNames returns the cases about names of existing volumes, in addition to T-ID-1 and T-ID-2.
func repeatedNames() []harness.Case {
	inZ2 := func(driver *harness.Driver) model.Request { return driver.Volume(1).Within(driver.Z2) }
	inBoth := func(driver *harness.Driver) model.Request { return driver.Volume(2).Within(driver.Z2, driver.Z3) }
	only := func(ask func(driver *harness.Driver) model.Request) func(driver *harness.Driver) []model.Request {
		return func(driver *harness.Driver) []model.Request { return []model.Request{ask(driver)} }
	}
	var cases []harness.Case
	for _, r := range []repetition{
		{
			id: "name_repeated_in_other_words", text: "returns the same volume for a repeated name, whatever the order of the topologies in requisite",
			verifies: "CV-02 CV-03 CV-07 VOL-08 VOL-12",
			needs:    harness.Needs(harness.Segments(2), harness.Shows(4)),
			first:    func(driver *harness.Driver) model.Request { return driver.Volume(1).Within(driver.Zones(4)...) },
			again: func(driver *harness.Driver) (all []model.Request) {
				zones := driver.Zones(4)
				for i := range zones {
					all = append(all, driver.Volume(1).Within(slices.Concat(zones[i:], zones[:i])...))
				}
				return all
			},
		},
		{
			id: "name_repeated_without_requirement", text: "returns the volume of a repeated name when the requirement is left out",
			verifies: "CV-02 CV-03 CV-21",
			needs:    harness.Needs(harness.Segments(1), harness.Shows(2)),
			first: func(driver *harness.Driver) model.Request {
				zones := driver.Zones(2)
				return driver.Volume(1).Within(zones[len(zones)-1])
			},
			exactly: true,
			again:   only(func(driver *harness.Driver) model.Request { return driver.Volume(1) }),
		},
		{
			id: "name_repeated_with_empty_requirement", text: "refuses an empty TopologyRequirement for a name that exists, or returns its volume",
			verifies: "TR-03 CV-03 GEN-12",
			needs:    harness.Segments(1),
			first:    inZ2,
			exactly:  true,
			again:    only(func(driver *harness.Driver) model.Request { return driver.Volume(1).WithEmptyRequirement() }),
		},
		{
			// A preference is not a condition: a scheduler that has meanwhile chosen another topology gets the volume.
			id: "name_repeated_with_other_preferred", text: "returns the volume in Z2 for a repeated name when Z3 is now preferred",
			verifies: "CV-02 CV-03 PF-03",
			needs:    harness.Segments(2),
			first: func(driver *harness.Driver) model.Request {
				return driver.Volume(1).Within(driver.Z2, driver.Z3).Preferring(driver.Z2, driver.Z3)
			},
			again: only(func(driver *harness.Driver) model.Request {
				return driver.Volume(1).Within(driver.Z2, driver.Z3).Preferring(driver.Z3, driver.Z2)
			}),
		},
		{
			id: "name_repeated_with_one_of_two", text: "returns the volume in Z2 and Z3 for a repeated name when only Z3 is asked for, and two of Z2, Z3 and Z4",
			verifies: "CV-02 CV-03 TR-11 TR-15",
			needs:    harness.Needs(harness.Segments(2), harness.Shows(3), harness.AccessibleFrom(2)),
			first:    inBoth,
			again: func(driver *harness.Driver) []model.Request {
				return []model.Request{driver.Volume(2).Within(driver.Z3), driver.Volume(2).Within(driver.Zones(3)...)}
			},
		},
		{
			// The volume is accessible from one of the topologies, and x = n needs both: see the position on CV-03.
			id: "name_repeated_for_other_pair", text: "returns ALREADY_EXISTS for a repeated name in Z3 and Z4 when its volume is in Z2 and Z3",
			verifies: "CREATE-02 CREATE-06 CV-03 TR-07 GEN-15 GEN-16",
			needs:    harness.Needs(harness.Segments(3), harness.AccessibleFrom(2)),
			first:    inBoth,
			again:    only(func(driver *harness.Driver) model.Request { return driver.Volume(2).Within(driver.Z3, driver.Z4) }),
		},
		{
			// The name is taken, the topology is unknown and nothing can be provisioned there: any of the codes is right.
			id: "name_repeated_for_unknown", text: "refuses a repeated name for a topology that no node reports",
			verifies: "CREATE-06 CREATE-08 GEN-12 GEN-15 GEN-16",
			needs:    harness.Segments(1),
			first:    inZ2,
			again:    only(func(driver *harness.Driver) model.Request { return driver.Volume(1).Within(nowhere(driver.Z2)) }),
		},
		{
			// A volume that exists needs no room. A CO repeats the request after a lost answer.
			id: "name_repeated_when_full", text: "returns the volume in Z2 for a repeated name when Z2 is full",
			verifies: "CV-02 CV-03",
			needs:    harness.Segments(1),
			first:    inZ2,
			full:     "Z2",
			again:    only(inZ2),
		},
	} {
		cases = append(cases, r.asCase())
	}
	return cases
}

// nameUsedAgainElsewhere returns the case about the name of a volume that is deleted. No clause says that it is free at
// once, and COs do not reuse names: a refusal is a warning, and an answer with the deleted volume is a failure.
func nameUsedAgainElsewhere() harness.Case {
	return harness.Case{
		ID:           "name_used_again_elsewhere",
		Text:         "should create a volume in Z3 with the name of a deleted one in Z2",
		Requirements: []string{"CV-02", "CREATE-06", "TR-04", "TR-07"},
		Needs:        harness.Needs(harness.Segments(2), harness.Volumes(volumesEach)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			first := mustCreate(ctx, driver, driver.Volume(1).Within(driver.Z2))
			deletion.Need(ctx, driver, first.Volume)
			elsewhere := driver.Taken(driver.Volume(1).Within(driver.Z3))
			var got creation.Answer
			if free := driver.Settled(ctx, effect.FreeName, func() bool {
				got = creation.CreateAgain(ctx, driver, first, elsewhere)
				return got.Code == codes.OK
			}); !free {
				suite.Warn(ctx, "CREATE-06", "the volume in %s was deleted, and its name cannot be used for another in %s: %s", driver.Z2, driver.Z3, got)
				return
			}
			judgeAnswer(ctx, got, model.AnswersTo(elsewhere, driver.Room.World))
		},
	}
}
