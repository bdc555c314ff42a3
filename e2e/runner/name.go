// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// NameCases puts a case's id before its text, in Ginkgo's own output too, until undo is called.
func NameCases() (undo func()) { return ginkgo.AddTreeConstructionNodeArgsTransformer(idBeforeText) }

// idBeforeText puts a case's id before its text, so that JUnit shows it.
func idBeforeText(node types.NodeType, _ ginkgo.Offset, text string, args []any) (string, []any, []error) {
	if node != types.NodeTypeIt {
		return text, args, nil
	}
	for _, arg := range args {
		if labels, ok := arg.(ginkgo.Labels); ok {
			if id := verdict.CaseID(labels); id != "" {
				return id + " " + text, args, nil
			}
		}
	}
	return text, args, nil
}
