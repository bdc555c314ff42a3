// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// acknowledgements is the file to which the child writes a byte for each signal that reaches it.
const acknowledgements = 3

// ending returns the signals that end a run. SIGHUP, for a closed terminal, is among them unless nohup ignores it.
func ending() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// acknowledge writes a byte for each signal that reaches this process, until stop. Programs that this one runs do not
// inherit the file.
func acknowledge(to *os.File) (stop func()) {
	syscall.CloseOnExec(int(to.Fd()))
	reached := make(chan os.Signal, 8)
	signal.Notify(reached, ending()...)
	go func() {
		for range reached {
			_, _ = to.Write([]byte{0}) // A parent that has ended needs no acknowledgement.
		}
	}()
	return func() { signal.Stop(reached) }
}

// acknowledged returns a channel that receives a value for each signal that has reached the child.
func acknowledged(from io.Reader) <-chan struct{} {
	reached := make(chan struct{}, 8)
	go func() {
		for one := make([]byte, 1); ; {
			if _, err := from.Read(one); err != nil {
				return
			}
			reached <- struct{}{}
		}
	}()
	return reached
}

// passOn sends the child each signal that has not reached it already. Service managers, and killall, signal both parent
// and child, and the child would take a second signal as a request to skip its clean-up.
func passOn(signals <-chan os.Signal, reached <-chan struct{}, toChild func(os.Signal) error) {
	const byItselfWithin = 300 * time.Millisecond
	for received := range signals {
		select {
		case <-reached:
			continue
		case <-time.After(byItselfWithin):
		}
		if received == syscall.SIGHUP { // The terminal is closed: end as on Ctrl-C.
			received = os.Interrupt
		}
		if toChild(received) == nil { // It may have ended already.
			<-reached // by this process
		}
	}
}
