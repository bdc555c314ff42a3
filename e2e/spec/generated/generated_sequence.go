package generated

import (
	"context"

	"github.com/onsi/ginkgo/v2"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Whatever was asked before, each answer is one that the specification allows. What a driver does not claim, and sizes
// where it does not tell its room, are not in the sequence. A clause that the vendor waives is none of the case's: the
// sequence goes on after an answer that contradicts no other.
func generatedSequence(s *harness.Suite) {
	waived := waivedBy(s.Target().Profile)
	labels := verdict.Case("generated_sequence", unless(waived,
		"TR-04", "TR-06", "TR-07", "TR-08", "TR-11", "TR-12", "TR-15", "TR-16", "TR-17", "PF-03", "PF-05", "PF-06", "PF-07",
		"CV-03", "CV-23", "CVE-01", "CVE-02", "CVE-06", "CVE-08", "CVE-11", "CR-03", "GEN-15", "GEN-16",
		"VOL-02", "VOL-03", "VOL-04", "VOL-12", "DV-01", "DV-02", "DV-05", "LV-01", "LV-08", "CAP-07",
		"CE-02", "CE-03", "CE-13", "CE-17", "CE-18", "CE-19",
		"CP-05", "CP-11", "CP-12", "CP-22", "CP-31", "CP-34", "CP-36", "CU-06", "CU-17")...)
	needs := harness.Needs{Shows: 4, Volumes: spareUnits}
	s.Case("answers each of a generated sequence of requests as the specification allows", labels, needs, func(ctx context.Context, under *harness.Driver) {
		seed, steps := under.Seed()
		run := begin(ctx, under, waived)
		shape := run.shape()
		if len(shape.Kinds) == 0 {
			verdict.Skip(verdict.ByProfile, "the profile has no volumes that are accessible from so few segments as there are")
		}
		plan := Draw(seed, steps, shape)
		verdict.Evidence("generated", summary(seed, plan, shape))

		run.carryOut(ctx, plan)

		broken, regretted := run.contradicted()
		verdict.Blame(verdict.Fail, broken...)
		verdict.Blame(verdict.Warning, regretted...)
		for _, answer := range run.regrets() {
			verdict.Warn("%s", answer)
		}
		if run.failure() != (model.Reason{}) {
			ginkgo.Fail(explain(ctx, seed, plan, run))
		}
	})
}
