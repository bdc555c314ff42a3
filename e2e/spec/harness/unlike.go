// SPDX-License-Identifier: Apache-2.0

package harness

import "strings"

// Unlike is an id of the same form as one that a driver has given, and most likely nothing's: its last letters and digits
// are others of their kind, a hexadecimal digit a hexadecimal one. A driver may refuse ids of any other form as invalid.
func Unlike(id string) string {
	const changed = 6
	other := []byte(id)
	for i, left := len(other)-1, changed; i >= 0 && left > 0; i-- {
		for _, kind := range []string{"0123456789", "abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ"} {
			if at := strings.IndexByte(kind, other[i]); at >= 0 {
				other[i] = kind[(at+len(kind)/2)%len(kind)]
				left--
				break
			}
		}
	}
	return string(other)
}
