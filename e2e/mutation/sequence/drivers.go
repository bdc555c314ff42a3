// SPDX-License-Identifier: Apache-2.0

// Package sequence has wrong drivers that sequences of generated requests find, and right drivers that they have to let
// pass.
package sequence

import (
	"maps"
	"time"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

const (
	id    = "generated_sequence"
	steps = 800
	// ample is the room for drivers that lose some of it in every attempt.
	ample = 1 << 36
)

// Sequence is the expected result of the case for a driver that only sequences find.
type Sequence struct {
	fault mutation.Fault
	// Clauses are those that its answers may contradict, space separated. Steps is how many the shortest sequence has at
	// most; 0 where it does not show again.
	Clauses string
	Steps   int
}

// Sequences returns all drivers that only sequences find, by their names among Drivers.
func Sequences() map[string]Sequence {
	all := map[string]Sequence{}
	for _, some := range []map[string]Sequence{faultsOfVolumes(), faultsOfSnapshots(), faultsOfNodes(), faultsAtOnce()} {
		maps.Copy(all, some)
	}
	return all
}

// Drivers returns the wrong drivers, and the right drivers that lack something. For the drivers of Sequences, the case
// fails by some of the expected clauses, not by all.
func Drivers() map[string]mutation.Expectation {
	all := Lacking()
	maps.Copy(all, Twice())
	for name, wrong := range Sequences() {
		fault := wrong.fault
		if _, together := faultsAtOnce()[name]; !together {
			fault = fault.Serially()
		}
		all[name] = mutation.Expectation{
			Driver: mutation.Driver{
				Fault: fault, Options: func(o *embedded.Options) { o.BytesPerSegment, o.Sizes = ample, service.Sizes{} },
				Target: func(t *harness.Target) { t.Steps, t.Timeouts.Generated = steps, 3*time.Minute },
			},
			Cases: []mutation.Case{mutation.Fails(id, wrong.Clauses)}, AnyClause: true,
		}
	}
	return all
}

// Twice returns drivers with two faults.
func Twice() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"wrong about deleted volumes, and about deleted snapshots": mutation.Expect(mutation.Driver{Fault: validatesDeleted().And(deletesSnapshotsOnce()), Target: waiving()},
			mutation.Fails(id, "VV-03 DS-02")),
		"wrong about deleted volumes, for which there is no time": mutation.Expect(mutation.Driver{Fault: validatesDeleted(), Target: func(t *harness.Target) { t.Steps, t.Timeouts.Generated = steps, 1 }},
			mutation.Passes(id)),
	}
}
