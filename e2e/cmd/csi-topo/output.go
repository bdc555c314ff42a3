// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"golang.org/x/term"

	"github.com/csi-topo/csi-topo/internal/foreign"
	"github.com/csi-topo/csi-topo/internal/screen"
)

// heard is an output whose reader may go away, as head does once it has read enough. A write without a reader fails and
// calls lost: the program must end as after an interrupt, and undo everything.
type heard struct {
	io.Writer
	lost func(cause error)

	mu     sync.Mutex
	failed error // the first write that failed for another reason, such as a full disk
}

// Write writes to the output.
func (h *heard) Write(p []byte) (int, error) {
	n, err := h.Writer.Write(p)
	switch {
	case errors.Is(err, syscall.EPIPE):
		h.lost(errors.New("stdout was closed by its reader"))
	case err != nil:
		h.mu.Lock()
		defer h.mu.Unlock()
		h.failed = cmp.Or(h.failed, err)
	}
	return n, err
}

// failure returns an error if something could not be written: the output is then incomplete.
func (h *heard) failure() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failed == nil {
		return nil
	}
	return fmt.Errorf("writing to standard output: %w", h.failed)
}

// onScreen returns the output, or a screen if it is a terminal on which a line can be changed. Both remove control
// sequences, because drivers' answers are printed.
func onScreen(out *heard) io.Writer {
	file, ok := out.Writer.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) || os.Getenv("TERM") == "dumb" {
		return foreign.OnlyPrintable(out)
	}
	return screen.New(out, func() int {
		const unknown = 80
		width, _, err := term.GetSize(int(file.Fd()))
		if err != nil || width <= 0 {
			return unknown
		}
		return width
	})
}

// survivePipes makes a write to an output without a reader fail, instead of ending this process on the spot. The
// commands that it runs are not changed.
func survivePipes() (stop func()) {
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	return func() { signal.Stop(broken) }
}
