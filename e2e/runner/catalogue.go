package runner

import (
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Listed is one case as it is declared.
type Listed struct {
	ID           string   `json:"id"`
	Area         string   `json:"area"`
	Text         string   `json:"text"`
	Requirements []string `json:"requirements"`
	Needs        []string `json:"needs"`
}

// Catalogue registers cases and returns those that the filters leave, in the order of their areas, without running any.
// Like Run it takes the process: one of them can be called, once.
func Catalogue(o Options, register func()) ([]Listed, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	defer ginkgo.AddTreeConstructionNodeArgsTransformer(idBeforeText)()
	register()
	suite, terminal := o.configuration()
	preview := ginkgo.PreviewSpecs("csi-topo "+o.Tier, suite, terminal)
	var listed []Listed
	for _, c := range report.Ordered(preview) {
		if c.State.Is(types.SpecStateSkipped) {
			continue
		}
		listed = append(listed, Listed{
			ID:           verdict.CaseID(c.Labels()),
			Area:         c.ContainerHierarchyTexts[0],
			Text:         strings.TrimPrefix(c.LeafNodeText, verdict.CaseID(c.Labels())+" "),
			Requirements: verdict.Requirements(c.Labels()),
			Needs:        verdict.Needs(c.Labels()),
		})
	}
	return listed, nil
}
