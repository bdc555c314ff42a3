// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"fmt"
	"regexp"
	"strings"
)

// mostCharacters is how many characters the name of a plugin may have.
const mostCharacters = 63

// notDomainName says why the name is not in domain name notation; empty when it is.
func notDomainName(name string) string {
	label := regexp.MustCompile(`^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$`)
	if size := len(name); size > mostCharacters {
		return fmt.Sprintf("it has %d characters and may have %d", size, mostCharacters)
	}
	for part := range strings.SplitSeq(name, ".") {
		if !label.MatchString(part) {
			return fmt.Sprintf("%q is no label: that is alphanumerics, and dashes between them", part)
		}
	}
	return ""
}
