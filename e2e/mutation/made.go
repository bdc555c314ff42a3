// SPDX-License-Identifier: Apache-2.0

package mutation

import "strings"

// Made reports whether a name is one that the case gave to what it makes.
func Made(caseID, name string) bool {
	id := strings.ReplaceAll(strings.ToLower(caseID), "_", "-")
	return strings.Contains(name, "-"+id+"-")
}
