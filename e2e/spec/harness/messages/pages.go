// SPDX-License-Identifier: Apache-2.0

package messages

import "fmt"

// EachPage reads page after page, until there is no next_token.
func EachPage(rpc string, read func(token string) (next string, err error)) error {
	for token, seen := "", map[string]bool{}; ; {
		next, err := read(token)
		if err != nil {
			return fmt.Errorf("%s from token %q: %w", rpc, token, err)
		}
		if token = next; token == "" {
			return nil
		}
		if seen[token] {
			return fmt.Errorf("%s answered the next_token %q twice: its pages never end", rpc, token)
		}
		seen[token] = true
	}
}
