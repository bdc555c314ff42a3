// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"slices"
	"strings"
)

// table is one table of iptables-save's output.
type table struct {
	name     string
	policies map[string]string // by chain; "-" for chains that a user made
	chains   []string
	rules    []string // as printed: -A CHAIN …
}

func parseTables(saved string) []table {
	var tables []table
	for line := range strings.Lines(saved) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "*"); ok {
			tables = append(tables, table{name: name, policies: map[string]string{}})
			continue
		}
		if len(tables) == 0 {
			continue
		}
		current := &tables[len(tables)-1]
		if chain, ok := strings.CutPrefix(line, ":"); ok {
			fields := strings.Fields(chain)
			if len(fields) >= 2 {
				current.chains = append(current.chains, fields[0])
				current.policies[fields[0]] = fields[1]
			}
		}
		if strings.HasPrefix(line, "-A ") {
			current.rules = append(current.rules, line)
		}
	}
	return tables
}

// undoFirewall returns the input for iptables-restore --noflush that removes Docker's chains that are in now but not in
// before, with the rules that lead to them, and restores the policy of FORWARD. Other additions stay. The input is empty
// if there is nothing to do.
func undoFirewall(before, now string) string {
	was := map[string]table{}
	for _, t := range parseTables(before) {
		was[t.name] = t
	}
	var script strings.Builder
	for _, t := range parseTables(now) {
		if lines := t.undo(was[t.name]); len(lines) > 0 {
			script.WriteString("*" + t.name + "\n" + strings.Join(lines, "\n") + "\nCOMMIT\n")
		}
	}
	return script.String()
}

func (t table) undo(before table) []string {
	var made []string
	for _, chain := range t.chains {
		if strings.HasPrefix(chain, "DOCKER") && !slices.Contains(before.chains, chain) {
			made = append(made, chain)
		}
	}
	var jumps, flushes, deletions, policies []string
	for _, rule := range t.rules {
		fields := strings.Fields(rule)
		if !slices.Contains(made, fields[1]) && jumpsTo(fields, made) {
			jumps = append(jumps, "-D "+strings.TrimPrefix(rule, "-A "))
		}
	}
	for _, chain := range made {
		flushes = append(flushes, "-F "+chain)
		deletions = append(deletions, "-X "+chain)
	}
	// Docker denies forwarding if it enabled it itself.
	if was := before.policies["FORWARD"]; was != "" && was != t.policies["FORWARD"] {
		policies = append(policies, "-P FORWARD "+was)
	}
	if was := before.policies["FORWARD"]; was == "" && t.policies["FORWARD"] == "DROP" {
		policies = append(policies, "-P FORWARD ACCEPT") // the table did not exist: an unused one accepts
	}
	return slices.Concat(jumps, flushes, deletions, policies)
}

// jumpsTo reports whether a rule jumps or goes to one of the chains.
func jumpsTo(rule, chains []string) bool {
	for i, field := range rule[:len(rule)-1] {
		if (field == "-j" || field == "-g") && slices.Contains(chains, rule[i+1]) {
			return true
		}
	}
	return false
}
