// SPDX-License-Identifier: Apache-2.0

package report

import (
	"github.com/onsi/ginkgo/v2/types"
	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// evidenceOf is a case's evidence as YAML nodes, which keep the order of fields and the digits of numbers.
func evidenceOf(spec types.SpecReport) []Evidence {
	var found []Evidence
	for _, proof := range verdict.Proofs(spec) {
		found = append(found, Evidence{Name: proof.Name, Value: node(proof.Value)})
	}
	return found
}

// node reads JSON, which is YAML in flow style, and gives it block style.
func node(data []byte) yaml.Node {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil || len(document.Content) == 0 {
		return yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: string(data)}
	}
	value := document.Content[0]
	block(value)
	return *value
}

func block(n *yaml.Node) {
	n.Style = 0
	for _, child := range n.Content {
		block(child)
	}
}
