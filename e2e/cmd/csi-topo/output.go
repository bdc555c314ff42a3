package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"
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

func (h heard) isTerminal() bool {
	file, ok := h.Writer.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// survivePipes has a write to an output without a reader fail, instead of ending this process on the spot. The commands
// that it runs are left as they are.
func survivePipes() (stop func()) {
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	return func() { signal.Stop(broken) }
}
