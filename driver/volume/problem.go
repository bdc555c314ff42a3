// SPDX-License-Identifier: Apache-2.0

package volume

import "slices"

// distinct keeps the first problem of each reason.
func distinct(problems []Problem) []Problem {
	var kept []Problem
	for _, p := range problems {
		if !slices.ContainsFunc(kept, func(k Problem) bool { return k.Reason == p.Reason }) {
			kept = append(kept, p)
		}
	}
	return kept
}
