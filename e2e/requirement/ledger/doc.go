// SPDX-License-Identifier: Apache-2.0

// Package ledger accounts for what the suite's sources demand: every line of the CSI specification with a keyword, and
// every statement of the documents on topology, provisioning, capacity and spreading in Kubernetes. Each is accounted
// for by requirements of the register, or by the reason why nothing checks it. A line that is named in a requirement's
// source is accounted for by that; spec.yaml has the others, and documents.yaml the statements.
//
// The package is given the text of the specification, and knows no case: e2e/cmd/ledger finds both.
package ledger
