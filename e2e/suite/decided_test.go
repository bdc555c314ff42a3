// SPDX-License-Identifier: Apache-2.0

package suite_test

import (
	"regexp"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestAMessageSaysWhereTheCaseDecided(t *testing.T) {
	for name, body := range map[string]func(){
		"fail":  func() { suite.Must("TR-07", false, "no") },
		"error": func() { suite.CouldNotTell("no") },
	} {
		var o suite.Outcome
		o.Run(body)
		got := o.Result(suite.NewListed("T-1", "area", "text", nil), nil).Message
		if !regexp.MustCompile(`^no\nat e2e/suite_test/decided_test\.go:\d+$`).MatchString(got) {
			t.Errorf("%s: want the line of this file, got %q", name, got)
		}
	}
}
