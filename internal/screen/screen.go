// SPDX-License-Identifier: Apache-2.0

// Package screen keeps a line at the bottom of a terminal that shows what is going on, below what is printed to stay.
package screen

import (
	"bytes"
	"io"
	"sync"

	"github.com/csi-topo/csi-topo/internal/foreign"
)

// eraseLine takes the cursor to the beginning of its line, and empties it.
const eraseLine = "\r\x1b[K"

// Screen is a terminal that gets only what is printable. It is safe for goroutines that print side by side.
type Screen struct {
	width func() int

	mutex   sync.Mutex // guards what follows
	out     io.Writer
	printed io.Writer // the same, for what is printable
	shown   string
	// open tells that what was printed last did not end its line, where nothing else may be shown.
	open bool
}

// New returns a screen that prints to out, a terminal; width tells how many columns it has.
func New(out io.Writer, width func() int) *Screen {
	return &Screen{width: width, out: out, printed: foreign.OnlyPrintable(out)}
}

// Write prints what stays, above the line that is shown.
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

// Show makes the last line show this text until the next one, cut to the width of the terminal; "" leaves it to what is
// printed.
func (s *Screen) Show(text string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.erase() != nil {
		return // the next Write tells
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
