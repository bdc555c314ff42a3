// SPDX-License-Identifier: Apache-2.0

// Package model is the oracle: from what is known of a driver (its segments, the room in each) and a request, it
// derives which answers the CSI specification allows, and which clause says so.
//
// It is pure, and shares nothing with any driver: suite and driver must not share a mistake. Clause ids are defined in
// e2e/requirement.
package model
