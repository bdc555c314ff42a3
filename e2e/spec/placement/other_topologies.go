// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"maps"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// otherTopologies returns the cases about topologies that are not segments of the driver: they do not exist, have other
// keys, or are invalid. That is the CO's mistake: ignoring it is a warning, and a wrong code or a volume elsewhere is a
// failure.
func otherTopologies() []harness.Case {
	within := func(change func(driver *harness.Driver) model.Set) func(*harness.Driver) []model.Request {
		return func(driver *harness.Driver) []model.Request {
			return []model.Request{driver.Volume(1).Within(change(driver)...)}
		}
	}
	invalid := "GEN-12 GEN-15 GEN-16 CV-07 "
	return casesOf([]question{
		{
			// If x < n, a topology that does not exist counts as one that is not possible, and another is chosen.
			id: "requisite_unknown_beside_known", text: "creates a volume in the only topology of requisite that exists",
			verifies: "TR-11 GEN-12",
			needs:    harness.Needs(harness.Segments(1), harness.Shows(2)),
			asked: within(func(driver *harness.Driver) model.Set {
				zones := driver.Zones(2)
				return model.Set{nowhere(driver.Z2), zones[len(zones)-1]}
			}),
		},
		{
			// x = n needs both: a third topology instead of the one that does not exist is wrong.
			id: "requisite_unknown_needed", text: "fails when one of the two requisite topologies does not exist",
			verifies: "TR-07 TR-08 CREATE-08 " + invalid,
			needs:    harness.Needs(harness.Segments(1), harness.Shows(2), harness.AccessibleFrom(2)),
			asked: func(driver *harness.Driver) []model.Request {
				return []model.Request{driver.Volume(2).Within(driver.Z2, nowhere(driver.Z2))}
			},
		},
		{
			// A refusal of the whole requirement is a warning.
			id: "preferred_unknown", text: "uses Z3, the second of preferred, when the first does not exist",
			verifies: "PF-03 GEN-12",
			needs:    harness.Segments(2),
			asked: func(driver *harness.Driver) []model.Request {
				absent := nowhere(driver.Z2)
				return []model.Request{driver.Volume(1).Within(driver.Z2, driver.Z3, absent).Preferring(absent, driver.Z3)}
			},
		},
		{
			// The specification leaves the meaning of fewer keys open. Kubernetes sends them for allowedTopologies, and
			// means every segment that has them. A refusal is a warning.
			id: "requisite_narrow_key", text: "creates a volume in a segment with the only key of requisite, the one that distinguishes Z3 most",
			verifies: "TR-01 TR-04 K8S-C16",
			needs:    harness.Segments(2),
			asked: within(func(driver *harness.Driver) model.Set {
				needSeveralKeys(driver)
				return model.Set{narrowest(driver.Z3, driver.Segments())}
			}),
		},
		{
			// An answer with the region alone would tell Kubernetes that the volume is accessible from all of it.
			id: "requisite_wide_key", text: "creates a volume in one segment, and returns all its keys, when requisite has only the key that Z3 shares with most others",
			verifies: "TR-01 TR-04 VOL-19 K8S-C15",
			needs:    harness.Segments(2),
			asked: within(func(driver *harness.Driver) model.Set {
				needSeveralKeys(driver)
				return model.Set{widest(driver.Z3, driver.Segments())}
			}),
		},
		{
			// If nodes have different keys, csi-provisioner 6.4 sends topologies of both kinds. A driver that reads only the
			// first finds a key missing.
			id: "requisite_mixed_narrow", text: "creates a volume in Z3 when requisite and preferred have it twice, first with one of its keys and then with all",
			verifies: "TR-01 TR-04 PF-03 K8S-C16",
			needs:    harness.Segments(2),
			asked: func(driver *harness.Driver) []model.Request {
				needSeveralKeys(driver)
				narrow := narrowest(driver.Z3, driver.Segments())
				return []model.Request{driver.Volume(1).Within(narrow, driver.Z3).Preferring(narrow, driver.Z3)}
			},
		},
		{
			id: "requisite_mixed_wide", text: "creates a volume in one segment, and returns all its keys, when requisite and preferred have the key that Z3 shares with most others, and then Z3",
			verifies: "TR-01 TR-04 VOL-19 K8S-C15",
			needs:    harness.Segments(2),
			asked: func(driver *harness.Driver) []model.Request {
				needSeveralKeys(driver)
				wide := widest(driver.Z3, driver.Segments())
				return []model.Request{driver.Volume(1).Within(wide, driver.Z3).Preferring(wide, driver.Z3)}
			},
		},
		{
			id: "requisite_unknown_key", text: "refuses Z3 with a key that no node reports, and never uses another segment",
			verifies: "TR-04 CREATE-08 " + invalid,
			needs:    harness.Segments(2),
			asked:    within(func(driver *harness.Driver) model.Set { return model.Set{withUnknownKey(driver.Z3)} }),
		},
		{
			// Many drivers compare keys case-sensitively, as Kubernetes does: a refusal is a warning.
			id: "requisite_key_in_other_case", text: "creates a volume in Z3 when requisite has its keys in another case",
			verifies: "TO-07 TR-04",
			needs:    harness.Segments(2),
			asked:    within(func(driver *harness.Driver) model.Set { return model.Set{keysInOtherCase(driver.Z3)} }),
		},
		{
			// Two keys that differ only in case must not both exist.
			id: "requisite_key_twice", text: "refuses Z3 with a key that occurs twice, in two cases",
			verifies: "TO-08 TR-04 " + invalid,
			needs:    harness.Segments(2),
			asked: within(func(driver *harness.Driver) model.Set {
				twice := maps.Clone(driver.Z3)
				maps.Copy(twice, keysInOtherCase(driver.Z3))
				return model.Set{twice}
			}),
		},
		{
			// A driver that uses the other topology of requisite, or any other, gets a warning.
			id: "requisite_empty_topology", text: "refuses a Topology without segments in requisite, next to one that exists",
			verifies: "TR-01 " + invalid,
			needs:    harness.Needs(harness.Segments(1), harness.Shows(2)),
			asked: within(func(driver *harness.Driver) model.Set {
				zones := driver.Zones(2)
				return model.Set{{}, zones[len(zones)-1]}
			}),
		},
		{
			id: "requisite_empty_key", text: "refuses Z3 with an empty key, and never uses another segment",
			verifies: "TO-02 TR-04 " + invalid,
			needs:    harness.Segments(2),
			asked: within(func(driver *harness.Driver) model.Set {
				unnamed := maps.Clone(driver.Z3)
				unnamed[""] = "csi-topo"
				return model.Set{unnamed}
			}),
		},
		{
			id: "requisite_empty_value", text: "refuses a requisite topology whose values are empty",
			verifies: "TO-09 TR-04 TR-08 " + invalid,
			needs:    harness.Segments(1),
			asked:    within(func(driver *harness.Driver) model.Set { return model.Set{withValues(driver.Z2, "")} }),
		},
		{
			// A value has at most 63 characters, and any string of a request at most 128 bytes.
			id: "requisite_long_value", text: "refuses a requisite topology whose values are longer than any may be",
			verifies: "TO-10 TR-04 TR-08 GEN-04 " + invalid,
			needs:    harness.Segments(1),
			asked: within(func(driver *harness.Driver) model.Set {
				const tooLong = 129
				return model.Set{withValues(driver.Z2, strings.Repeat("z", tooLong))}
			}),
		},
	})
}

// valueInOtherCase returns the case about values, which no clause calls case-insensitive: Kubernetes compares them
// case-sensitively, so a value in another case is a topology that does not exist.
func valueInOtherCase() harness.Case {
	return harness.Case{
		ID:           "requisite_value_in_other_case",
		Text:         "refuses Z3 when requisite has its values in another case",
		Requirements: []string{"TR-04", "TR-08", "CREATE-08", "GEN-12"},
		Needs:        harness.Needs(harness.Segments(2), harness.Volumes(volumesEach)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			other := valuesInOtherCase(driver.Z3)
			if driver.Segments().Contains(other) {
				suite.Skip(suite.ByEnvironment, "%s with its values in another case is no other topology, or one that exists", driver.Z3)
			}
			asked := driver.Taken(driver.Volume(1).Within(other))
			got := creation.CreateExactly(ctx, driver, asked)
			if driver.Segments().StandingFor(got.Segments).Equal(model.Set{driver.Z3}) {
				suite.Warn(ctx, "TR-04", "CreateVolume was called with %s, and the volume is accessible from %s: nothing says that values are case-insensitive", other, driver.Z3)
				return
			}
			judgeAnswer(ctx, got, model.AnswersTo(asked, driver.Room.World))
		},
	}
}

func needSeveralKeys(driver *harness.Driver) {
	if len(driver.Z2) < 2 {
		suite.Skip(suite.ByEnvironment, "the driver's segments have a single key, and the case leaves one of several out: %s", driver.Z2)
	}
}
