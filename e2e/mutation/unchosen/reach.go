// SPDX-License-Identifier: Apache-2.0

package unchosen

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Reach are the blocks of statements that a run reached, by the paths of the files within the module.
type Reach map[string]Blocks

// Blocks are those of one file, and whether they were reached.
type Blocks map[Block]bool

// Block is where a block begins and ends: lines and columns, from 1.
type Block struct{ line, column, endLine, endColumn int }

// ReadReach reads a profile as `go tool covdata textfmt` writes it, of packages of the module.
func ReadReach(profile io.Reader, module string) (Reach, error) {
	reach := Reach{}
	lines := bufio.NewScanner(profile)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "mode: ") {
			continue
		}
		file, rest, found := strings.Cut(line, ":")
		var b Block
		var statements, count int
		_, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.line, &b.column, &b.endLine, &b.endColumn, &statements, &count)
		if !found || err != nil {
			return nil, fmt.Errorf("reading a coverage profile: %q is no line of one", line)
		}
		file = strings.TrimPrefix(file, module+"/")
		if reach[file] == nil {
			reach[file] = Blocks{}
		}
		reach[file][b] = reach[file][b] || count > 0
	}
	return reach, lines.Err()
}

// At reports whether the run reached the statement at the line and column. A statement of no block, as there is none of a
// file that was not compiled, was not.
func (r Reach) At(file string, line, column int) bool {
	var innermost Block
	reached, found := false, false
	for b, was := range r[file] {
		if !b.has(line, column) || found && !innermost.has(b.line, b.column) {
			continue
		}
		innermost, reached, found = b, was, true
	}
	return reached
}

func (b Block) has(line, column int) bool {
	after := line > b.line || line == b.line && column >= b.column
	before := line < b.endLine || line == b.endLine && column < b.endColumn
	return after && before
}
