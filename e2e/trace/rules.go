// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// Rules is the list of active rules, in the order in which they were added: the first rule that matches a call and is not
// used up applies to it. A rule with Otherwise only applies if no other rule does.
type Rules struct {
	mu    sync.Mutex
	rules []*activeRule
}

// activeRule is an active rule.
type activeRule struct {
	Rule
	used    int
	matched int           // calls that the rule might have been applied to
	removed chan struct{} // closed when the rule is removed
}

// RuleUse is a rule and the number of calls that it was applied to.
type RuleUse struct {
	Rule
	Used int `json:"used"`
}

// Add activates a rule.
func (r *Rules) Add(rule Rule) error {
	if err := rule.Validate(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.index(rule.ID) >= 0 {
		return fmt.Errorf("id: want a name that no other rule has, found %q, which is in force: remove that rule first", rule.ID)
	}
	r.rules = append(r.rules, &activeRule{Rule: rule, removed: make(chan struct{})})
	return nil
}

// Remove ends a rule, and the waits of the calls that it was applied to. It returns the rule with its use, and whether it
// was active.
func (r *Rules) Remove(id string) (RuleUse, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.index(id)
	if i < 0 {
		return RuleUse{}, false
	}
	rule := r.rules[i]
	close(rule.removed)
	r.rules = slices.Delete(r.rules, i, i+1)
	return RuleUse{Rule: rule.Rule, Used: rule.used}, true
}

// List returns the active rules.
func (r *Rules) List() []RuleUse {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]RuleUse, 0, len(r.rules))
	for _, rule := range r.rules {
		list = append(list, RuleUse{Rule: rule.Rule, Used: rule.used})
	}
	return list
}

func (r *Rules) index(id string) int {
	return slices.IndexFunc(r.rules, func(rule *activeRule) bool { return rule.ID == id })
}

// take returns the rule for a call and counts its use; nil if no rule applies. It reads the request only if a rule might
// apply.
func (r *Rules) take(method string, request func() json.RawMessage) *activeRule {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, otherwise := range []bool{false, true} {
		for _, rule := range r.rules {
			if rule.Otherwise == otherwise && rule.appliesTo(method, request) {
				rule.used++
				return rule
			}
		}
	}
	return nil
}

// appliesTo reports whether the rule is for the call and it is its turn. It counts the
// call.
func (r *activeRule) appliesTo(method string, request func() json.RawMessage) bool {
	if r.Times > 0 && r.used == r.Times {
		return false
	}
	if !r.matches(method, nil) && (len(r.Match) == 0 || !r.matches(method, request())) {
		return false
	}
	r.matched++
	return r.Every == 0 || r.matched%r.Every == 0
}
