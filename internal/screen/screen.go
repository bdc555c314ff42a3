// SPDX-License-Identifier: Apache-2.0

// Package screen keeps a status line at the bottom of a terminal, below the permanent output.
package screen

import (
	"bytes"
	"io"
	"sync"

	"github.com/csi-topo/csi-topo/internal/foreign"
)

// eraseLine moves the cursor to the beginning of its line, and erases the line.
const eraseLine = "\r\x1b[K"

// Screen is a terminal to which only printable text is written. It is safe for concurrent use.
type Screen struct {
	width func() int

	mutex   sync.Mutex // guards the fields below
	out     io.Writer
	printed io.Writer // out, for printable text only
	shown   string
	// open is true if the last output did not end its line; the status is not shown then.
	open bool
}

// New returns a screen that prints to out, a terminal; width returns the number of its columns.
func New(out io.Writer, width func() int) *Screen {
	return &Screen{width: width, out: out, printed: foreign.OnlyPrintable(out)}
}

// Write prints permanent output, above the status line.
func (s *Screen) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.erase(); err != nil {
		return 0, err
	}
	if n, err := s.printed.Write(p); err != nil {
		return n, err
	}
	s.open = !bytes.HasSuffix(p, []byte("\n"))
	return len(p), s.draw()
}

// Show replaces the status line by this text, cut to the width of the terminal; "" removes it.
func (s *Screen) Show(text string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.erase() != nil {
		return // the next Write returns the error
	}
	s.shown = foreign.Printable(text)
	_ = s.draw()
}

func (s *Screen) erase() error {
	if s.shown == "" || s.open {
		return nil
	}
	_, err := io.WriteString(s.out, eraseLine)
	return err
}

func (s *Screen) draw() error {
	if s.shown == "" || s.open {
		return nil
	}
	line := []rune(s.shown)
	if most := s.width() - 1; len(line) > most {
		line = append(line[:max(0, most-1)], '…')
	}
	_, err := io.WriteString(s.out, string(line))
	return err
}
