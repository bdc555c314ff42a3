// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/code"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Publish returns the report in its public form: of the driver's texts, it keeps the name, the version, the capabilities
// and the codes of answers. The verdicts are the same; the outcomes of profiles follow the current rule.
func Publish(r *report.ConformanceReport) *report.ConformanceReport {
	public := *r
	public.Original = cmp.Or(r.Original, r.Digest)
	public.Environment.Segments = nil
	public.Environment.Zones = []string{}
	for i := range r.Environment.Zones {
		public.Environment.Zones = append(public.Environment.Zones, fmt.Sprintf("zone %d", i+1))
	}
	public.Cases = make([]report.Case, 0, len(r.Cases))
	for _, c := range r.Cases {
		public.Cases = append(public.Cases, published(c))
	}
	public.Profiles = Judge(&public)
	return &public
}

func published(c report.Case) report.Case {
	if strings.HasPrefix(c.Area, "csi-sanity, ") { // and the name of a segment
		c.Area = "csi-sanity"
	}
	c.Message = codes(c.Message)
	if c.DecidedBy != suite.ByFilter && c.Verdict != suite.Errored { // otherwise it is one of the suite's own sentences
		c.Reason = codes(c.Reason)
	}
	c.Waived = slices.Clone(c.Waived)
	for i := range c.Waived {
		c.Waived[i].Message = codes(c.Waived[i].Message)
	}
	c.Evidence, c.Placement, c.Calls = nil, nil, nil
	return c
}

var upperCase = regexp.MustCompile(`\b[A-Z]+(?:_[A-Z]+)*\b`)

// codes returns the gRPC codes in the text, each once.
func codes(text string) string {
	var found []string
	for _, word := range upperCase.FindAllString(text, -1) {
		if _, isCode := code.Code_value[word]; isCode && !slices.Contains(found, word) {
			found = append(found, word)
		}
	}
	return strings.Join(found, ", ")
}
