// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"encoding/json"
	"time"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Tell tells Ginkgo what a case said, whose node it ends where the case has ended.
func Tell(o *suite.Outcome) {
	marks, proof, end, calls, placed := o.Take()
	if calls != nil {
		Calls(func() []json.RawMessage { return calls })
		Place(func() suite.Placement { return placed })
	}
	for _, p := range proof {
		AddProof(p)
	}
	for _, m := range marks {
		Add(m)
	}
	if end != nil {
		End(*end)
	}
}

// TellPooled is Tell for a case of a pool.
func TellPooled(o *suite.Outcome, calls suite.Recording, placed suite.Placing, took time.Duration) {
	if calls != nil {
		Calls(calls)
	}
	if placed != nil {
		Place(placed)
	}
	Took(took)
	Tell(o)
}
