// SPDX-License-Identifier: Apache-2.0

package report

import (
	"slices"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

const (
	// must is the level of the requirements whose contradiction is a failure.
	must = "MUST"
	// platform is whom the requirements grade that no driver can fail.
	platform = "platform"
)

// Judgement is a finished case's verdict, and those of its requirements that a failure or a warning is about; it is
// about all of them where there are none.
type Judgement struct {
	verdict.Judgement
	Blamed []string
}

// Judge reads a finished case's verdict, as report, exit status and terminal show it. It is verdict.Judge, except that a
// failure which contradicts no MUST of the driver is a warning: one that blames only requirements of a lower level or of
// the platform, or that blames none in a case that verifies only such. A case that verifies nothing of the register, as
// those of csi-sanity, keeps its failure.
func Judge(spec types.SpecReport, lookup Lookup) Judgement {
	judged := Judgement{Judgement: verdict.Judge(spec)}
	judged.Blamed = verdict.Blamed(spec, judged.Verdict)
	if judged.Verdict != suite.Failed {
		return judged
	}
	concerned := judged.Blamed
	if len(concerned) == 0 {
		concerned = verdict.Requirements(spec.Labels())
	}
	if len(concerned) > 0 && !slices.ContainsFunc(concerned, func(id string) bool { return binds(id, lookup) }) {
		judged.Verdict = suite.Warned
	}
	return judged
}

// binds reports whether the requirement is a MUST of the driver. One that the register does not hold is taken for one.
func binds(id string, lookup Lookup) bool {
	level, grades, found := lookup(id)
	return !found || level == must && grades != platform
}

func allBind(ids []string, lookup Lookup) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !binds(id, lookup) })
}
