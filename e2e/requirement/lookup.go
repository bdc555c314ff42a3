// SPDX-License-Identifier: Apache-2.0

package requirement

import (
	"fmt"
	"strings"
)

// Lookup returns the level of a requirement and the party that it grades; ok is false for an id that is not in the
// register.
func Lookup(id string) (level, grades string, ok bool) {
	found, ok := ByID(id)
	return string(found.Level), string(found.Grades), ok
}

// Meaning returns the text of a requirement, with its source; "" for an id that is not in the register.
func Meaning(id string) string {
	found, ok := ByID(id)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s (%s)", strings.TrimSuffix(found.Text, "."), found.Source)
}
