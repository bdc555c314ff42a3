// SPDX-License-Identifier: Apache-2.0

package requirement

import (
	"fmt"
	"slices"
	"strings"
)

// Check returns an error that names every id that is not in the register, or nil.
func Check(ids ...string) error {
	var unknown []string
	for _, id := range ids {
		if _, found := ByID(id); !found && !slices.Contains(unknown, id) {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) > 0 {
		return fmt.Errorf("no requirement in the register (e2e/requirement/register) has the id %s", strings.Join(unknown, ", "))
	}
	return nil
}
