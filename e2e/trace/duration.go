// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"fmt"
	"time"
)

// Duration is a time.Duration that reads and writes its text form, such as "1.5s".
type Duration time.Duration

// MarshalText implements encoding.TextMarshaler.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("reading a duration such as 1.5s: %w", err)
	}
	*d = Duration(parsed)
	return nil
}
