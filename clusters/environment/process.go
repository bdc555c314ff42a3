// SPDX-License-Identifier: Apache-2.0

package environment

import (
	"fmt"
	"io"
	"os"
	"strings"
)

func setenv(entry string) error {
	name, value, _ := strings.Cut(entry, "=")
	if err := os.Setenv(name, value); err != nil {
		return fmt.Errorf("setting %s for the programs that this one runs: %w", name, err)
	}
	return nil
}

// indented indents the lines of another part below the step that they belong to.
type indented struct{ out io.Writer }

func (i indented) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if _, err := io.WriteString(i.out, "    "+line); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}
