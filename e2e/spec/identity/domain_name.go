// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"fmt"
	"regexp"
	"strings"
)

// mostCharacters is the maximum length of a plugin's name in characters.
const mostCharacters = 63

// notDomainName explains why the name is not in domain name notation; empty if it is.
func notDomainName(name string) string {
	label := regexp.MustCompile(`^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$`)
	if size := len(name); size > mostCharacters {
		return fmt.Sprintf("it has %d characters and may have %d", size, mostCharacters)
	}
	for part := range strings.SplitSeq(name, ".") {
		if !label.MatchString(part) {
			return fmt.Sprintf("%q is not a label: alphanumerics, and dashes between them", part)
		}
	}
	return ""
}
