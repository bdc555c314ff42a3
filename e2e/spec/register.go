package spec

import "github.com/onsi/ginkgo/v2"

// Register declares the tier's cases for the target, which may be completed until they run. One case runs at a time:
// each fills segments and watches the driver's whole capacity.
func Register(target *Target) {
	s := &suite{target: target}
	s.area("requisite, x = n", tEQ1, tEQ1F, tEQ2, tEQ2F)
	s.area("requisite, x < n", tLT1, tLT1F, tLT2, tLT2F)
	s.area("requisite, x > n", tGT1, tGT1F)
	s.area("preferred, example 1", tPF1a, tPF1b)
	s.area("preferred, example 2", tPF2a, tPF2b, tPF2c, tPF2d)
	s.area("preferred, example 3", tPF3a, tPF3b, tPF3c, tPF3d, tPF3e)
	s.area("preferred without requisite", tPO1, tPO2)
	s.area("no requirement", tNR)
	s.area("invalid requirement", tBAD1, tBAD2, tBAD3)
	s.area("repeated name", tID1, tID2, tID3)
}

// area declares one group of cases, by which the report is grouped too.
func (s *suite) area(name string, cases ...func(*suite)) {
	ginkgo.Describe(name, ginkgo.Serial, func() {
		for _, declare := range cases {
			declare(s)
		}
	})
}
