// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"github.com/csi-topo/csi-topo/internal/foreign"
	"github.com/csi-topo/csi-topo/internal/screen"
)

// heard is an output whose reader may go away, as head does when it has seen enough. The write that nobody reads fails,
// and lost is called: the program is to end as after an interrupt, with everything taken back.
type heard struct {
	io.Writer
	lost func(cause error)
}

// Write writes to the output.
func (h heard) Write(p []byte) (int, error) {
	n, err := h.Writer.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		h.lost(errors.New("stdout was closed by its reader"))
	}
	return n, err
}

// onScreen is the output, or a screen where it is a terminal on which a line can be changed. Neither gets what a terminal
// would carry out: what drivers answer is printed.
func onScreen(out heard) io.Writer {
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

// survivePipes has a write to an output without a reader fail, instead of ending this process on the spot. The commands
// that it runs are left as they are.
func survivePipes() (stop func()) {
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	return func() { signal.Stop(broken) }
}
