// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestQuote(t *testing.T) {
	cases := []report.Case{
		{ID: "placed", Verdict: suite.Failed, Blamed: []string{"TR-04"}, Message: "is in Z2\nwant Z1"},
		{ID: "listed", Verdict: suite.Passed},
		{ID: "grown", Verdict: suite.Skipped, DecidedBy: suite.ByFilter},
	}
	const failed = "\n  placed: fail by TR-04: is in Z2\n    want Z1"
	for _, c := range []struct {
		name  string
		given Driver
		want  string
	}{
		{"a right driver with a false alarm", Driver{Right: true, Found: FoundBy([]string{"placed"})}, failed},
		{"a right driver without one", Driver{Right: true}, ""},
		{"a wrong driver that was caught", Driver{Found: FoundBy([]string{"placed"})}, ""},
		{"a wrong driver that was not caught", Driver{}, failed + "\n  listed: pass"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.given.Quote(cases); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
