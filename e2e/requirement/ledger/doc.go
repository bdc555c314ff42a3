// SPDX-License-Identifier: Apache-2.0

// Package ledger accounts for the demands of the suite's sources: every line of the CSI specification with a keyword, and
// every statement of the documents on topology, provisioning, capacity and spreading in Kubernetes. Each is accounted for
// by requirements of the register, or by the reason why nothing checks it. A line in a requirement's source is accounted
// for by that requirement; spec.yaml has the others, and documents.yaml the statements.
//
// The package gets the text of the specification, and depends on no case: e2e/cmd/ledger provides both.
package ledger
