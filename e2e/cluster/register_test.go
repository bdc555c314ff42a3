// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/mutation/deployed"
	"github.com/csi-topo/csi-topo/e2e/requirement"
)

func TestEveryCaseNamesItselfAndItsRequirements(t *testing.T) {
	var ids []string
	for _, area := range Areas() {
		for _, c := range area.Cases {
			if slices.Contains(ids, c.ID) {
				t.Errorf("two cases have the id %s", c.ID)
			}
			ids = append(ids, c.ID)
			if len(c.Requirements) == 0 || c.Text == "" || c.Run == nil {
				t.Errorf("case %s needs requirements, a text and what it runs", c.ID)
			}
			if err := requirement.Check(c.Requirements...); err != nil {
				t.Errorf("case %s: %v", c.ID, err)
			}
			if !hasFile(area.Name, c.ID) {
				t.Errorf("case %s is not declared in a file of its name, or of a name with which it begins, in %s", c.ID, area.Name)
			}
		}
	}
}

func TestEveryCaseCatchesSomethingWrong(t *testing.T) {
	var ids, wrongs []string
	// These only warn, because they find faults of Kubernetes and the sidecars, which is enough.
	noticed := []string{
		"provision_empty_topology", "scheduler_requeues_untracked", "scheduler_scores_maximum_size",
		"claim_deleted_while_created_killed", "claim_deleted_while_created_again", "snapshot_deleted_while_created_several",
	}
	for _, area := range Areas() {
		for _, c := range area.Cases {
			ids = append(ids, c.ID)
		}
	}
	check := func(id, text string, caught []string) {
		if slices.Contains(wrongs, id) {
			t.Errorf("two that are wrong have the id %s", id)
		}
		wrongs = append(wrongs, id)
		if text == "" || len(caught) == 0 {
			t.Errorf("%s needs a text, and cases that catch it", id)
		}
		for _, c := range caught {
			if !slices.Contains(ids, c) {
				t.Errorf("%s is caught by %s, which is no case", id, c)
			}
		}
		noticed = append(noticed, caught...)
	}
	for _, driver := range deployed.Drivers() {
		check(driver.ID, driver.Text, driver.Caught)
		for _, rule := range slices.Concat(driver.Rules.Controller, driver.Rules.Node) {
			if err := rule.Validate(); err != nil {
				t.Errorf("wrong driver %s: %v", driver.ID, err)
			}
		}
	}
	for _, scheduler := range deployed.Schedulers() {
		check(scheduler.ID, scheduler.Text, scheduler.Caught)
	}
	for _, policy := range deployed.Policies() {
		check(policy.ID, policy.Text, policy.Caught)
	}
	for _, id := range ids {
		if !slices.Contains(noticed, id) {
			t.Errorf("case %s catches nothing that is wrong: add it to Caught of an entry in e2e/mutation/deployed", id)
		}
	}
}

func TestShortRunHasEveryArea(t *testing.T) {
	left := smoke()
	for _, area := range Areas() {
		before := len(left)
		for _, c := range area.Cases {
			if slices.Contains(c.Labels, smokeLabel) {
				left = slices.DeleteFunc(left, func(id string) bool { return id == c.ID })
			}
		}
		if len(left) == before {
			t.Errorf("the short run has no case of the area %s", area.Name)
		}
	}
	if len(left) > 0 {
		t.Errorf("the short run has %s, which are no cases", strings.Join(left, ", "))
	}
}

// hasFile reports whether the area has a file with the case's name, or with a prefix of it: variants of one case share a
// file.
func hasFile(area, id string) bool {
	for name := id; name != ""; {
		if _, err := os.Stat(filepath.Join(area, name+".go")); err == nil {
			return true
		}
		name = name[:max(strings.LastIndex(name, "_"), 0)]
	}
	return false
}
