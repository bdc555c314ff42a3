// SPDX-License-Identifier: Apache-2.0

// Package model is the oracle: from the known state of a driver (its segments, the room in each) and a request, it derives
// the answers that the CSI specification allows, and the clauses that allow them.
//
// It is pure, and shares no code with any driver, because suite and driver must not share a mistake. Clause ids are defined
// in e2e/requirement.
package model
