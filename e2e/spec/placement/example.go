// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/fill"
)

// example is an example of the specification, or a sentence without one: a request, and the allowed answers.
type example struct {
	id string
	// line is its line in spec.md v1.13.0.
	line int
	// x is the number of topologies that the volume is to be accessible from.
	x int
	// requisite and preferred are the lists of the requirement, by the names of zones. Z9 does not exist.
	requisite, preferred string
	// empty requests a TopologyRequirement with neither list.
	empty bool
	// full lists the zones that are filled before the volume is requested. Commas separate steps; the request is
	// repeated after each.
	full string
	// again holds the requisite lists of further calls for the same name.
	again []string
	// times is the number of volumes that are requested, each with a new name; 0 means one.
	times int
	// allowed describes the right answers.
	allowed string
	// fewest is the minimum number of segments that the example needs.
	fewest int
	// verifies lists the ids of requirements.
	verifies string
}

// others are all of the driver's segments but Z2, each filled in a separate step.
const others = "others"

// exampleAreas returns the cases of the table.
func exampleAreas() []harness.Area {
	var areas []harness.Area
	for _, group := range examples() {
		area := harness.Area{Name: group.name}
		for _, e := range group.rows {
			area.Cases = append(area.Cases, e.asCase())
		}
		areas = append(areas, area)
	}
	return areas
}

// asCase returns the row as a case.
func (e example) asCase() harness.Case {
	needs := harness.Needs(harness.Segments(e.fewest), harness.Shows(e.shows()), harness.Volumes(max(volumesEach, e.times)), harness.AccessibleFrom(e.x))
	if e.full != "" {
		needs = harness.Needs(needs, harness.Exhaustion())
	}
	return harness.Case{
		ID:           e.id,
		Text:         fmt.Sprintf("%s (spec.md, line %d)", e.allowed, e.line),
		Requirements: strings.Fields(e.verifies),
		Needs:        needs,
		Run:          func(ctx context.Context, driver *harness.Driver) { e.run(ctx, driver) }, // a method value has no known file
	}
}

// volumesEach is the maximum number of volumes that most cases of this package make in one segment.
const volumesEach = 4

// shows returns the number of segments that show the row in full: up to the last zone that it names.
func (e example) shows() int {
	all := append([]string{e.requisite, e.preferred, e.full}, e.again...)
	for i, name := range slices.Backward([]string{"Z2", "Z3", "Z4", "Z5"}) {
		if strings.Contains(strings.Join(all, " "), name) {
			return i + 1
		}
	}
	return e.fewest
}

func (e example) run(ctx context.Context, driver *harness.Driver) {
	asked := e.request(driver)
	if len(e.again) > 0 {
		e.runAgain(ctx, driver, asked)
		return
	}
	steps := e.steps(driver)
	if len(steps) == 0 {
		for range max(e.times, 1) {
			if asked.Free() && !asked.Empty {
				askFree(ctx, driver, asked)
			} else {
				ask(ctx, driver, asked)
			}
		}
	}
	for _, zones := range steps {
		fill.Segments(ctx, driver, zones...)
		got := ask(ctx, driver, asked)
		if reversed := slices.Clone(asked.Requisite); got.Code != codes.OK && len(reversed) > 1 && len(asked.Preferred) == 0 {
			slices.Reverse(reversed) // the order does not matter, and this finds a driver that looks only at the first of them
			ask(ctx, driver, driver.Volume(e.x).Within(reversed...))
		}
	}
}

// runAgain requests the volume, and then others with its name.
func (e example) runAgain(ctx context.Context, driver *harness.Driver, asked model.Request) {
	for _, zones := range e.steps(driver) {
		fill.Segments(ctx, driver, zones...)
	}
	first := ask(ctx, driver, asked)
	for _, requisite := range e.again {
		another := driver.Taken(driver.Volume(e.x).Within(zonesOf(driver, requisite)...))
		if first.Code == codes.OK {
			askAgain(ctx, driver, first, another)
		} else {
			judgeAnswer(ctx, creation.CreateAgain(ctx, driver, first, another), model.AnswersTo(another, driver.Room.World))
		}
	}
}

// request returns the request of the row with the driver's own segments.
func (e example) request(driver *harness.Driver) model.Request {
	asked := driver.Volume(e.x)
	if e.empty {
		return asked.WithEmptyRequirement()
	}
	return asked.Within(zonesOf(driver, e.requisite)...).Preferring(zonesOf(driver, e.preferred)...)
}

// steps returns the zones to be filled, by step.
func (e example) steps(driver *harness.Driver) []model.Set {
	var steps []model.Set
	if e.full == others {
		for _, zone := range slices.Backward(driver.Segments()[1:]) {
			steps = append(steps, model.Set{zone})
		}
		return steps
	}
	var full model.Set
	for names := range strings.SplitSeq(e.full, ",") {
		zones := slices.DeleteFunc(zonesOf(driver, names), full.Contains)
		full = append(full, zones...)
		if len(zones) > 0 {
			steps = append(steps, zones)
		}
	}
	return steps
}

// zonesOf returns the driver's segments by the names of zones. A zone that the driver lacks is replaced by its last one, and
// no zone occurs twice.
func zonesOf(driver *harness.Driver, names string) model.Set {
	own := driver.Zones(len("2345"))
	var zones model.Set
	for name := range strings.FieldsSeq(names) {
		zone := nowhere(own[0])
		if i := strings.Index("2345", strings.TrimPrefix(name, "Z")); i >= 0 {
			zone = own[min(i, len(own)-1)]
		}
		if !zones.Contains(zone) {
			zones = append(zones, zone)
		}
	}
	return zones
}
