package cluster

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/onsi/ginkgo/v2"

	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ordinals end the ids of cases that one file declares several of.
var ordinals = regexp.MustCompile(`_[0-9]+$`)

func TestEveryCaseNamesItselfAndItsRequirements(t *testing.T) {
	Register(&Target{Timeouts: DefaultTimeouts()})
	declared := ginkgo.PreviewSpecs("cluster").SpecReports
	const least = 24
	if len(declared) < least {
		t.Fatalf("%d cases are registered, want at least %d", len(declared), least)
	}
	var ids []string
	for _, spec := range declared {
		labels := spec.Labels()
		id := verdict.CaseID(labels)
		if id == "" {
			t.Errorf("case %q has no id: declare it with verdict.Case", spec.FullText())
			continue
		}
		if slices.Contains(ids, id) {
			t.Errorf("two cases have the id %s", id)
		}
		ids = append(ids, id)
		requirements := verdict.Requirements(labels)
		if len(requirements) == 0 {
			t.Errorf("case %s names no requirement", id)
		}
		if err := requirement.Check(requirements...); err != nil {
			t.Errorf("case %s: %v", id, err)
		}
		if file := ordinals.ReplaceAllString(id, "") + ".go"; !exists(file) {
			t.Errorf("case %s is not declared in a file of its name, %s", id, file)
		}
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
