// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// rulesOf reads a file of rules to inject. Without a file, it returns no rules. A rule without an id gets one.
func rulesOf(file string) (harness.Rules, error) {
	var rules harness.Rules
	if file == "" {
		return rules, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return rules, fmt.Errorf("reading the rules to inject: %w", err)
	}
	if err := yaml.UnmarshalStrict(content, &rules); err != nil {
		return rules, fmt.Errorf("reading the rules to inject in %s: want the lists controller, node and provisioner: %w", file, err)
	}
	if len(rules.Controller)+len(rules.Node)+len(rules.Provisioner) == 0 {
		return rules, fmt.Errorf("reading the rules to inject in %s: want rules in the lists controller or node, or flags in the list provisioner, found none", file)
	}
	var wrong []error
	for name, list := range map[string][]trace.Rule{"controller": rules.Controller, "node": rules.Node} {
		for i := range list {
			if list[i].ID == "" {
				list[i].ID = fmt.Sprintf("injected-%s-%d", name, i)
			}
			if err := list[i].Validate(); err != nil {
				wrong = append(wrong, fmt.Errorf("%s: %s[%d]: %w", file, name, i, err))
			}
		}
	}
	return rules, errors.Join(wrong...)
}
