// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"slices"
	"syscall"
	"testing"
)

// TestASignalReachesTheChildOnce checks that a signal reaches the child once: a second one would skip the clean-up.
func TestASignalReachesTheChildOnce(t *testing.T) {
	for _, c := range []struct {
		name     string
		byItself int
		sent     []os.Signal
		want     []os.Signal
	}{
		{"of a terminal", 0, []os.Signal{os.Interrupt}, []os.Signal{os.Interrupt}},
		{"of a terminal, twice", 0, []os.Signal{os.Interrupt, os.Interrupt}, []os.Signal{os.Interrupt, os.Interrupt}},
		{"to all processes of a service", 1, []os.Signal{syscall.SIGTERM}, nil},
		{"to all, and then of a terminal", 1, []os.Signal{syscall.SIGTERM, os.Interrupt}, []os.Signal{os.Interrupt}},
		{"of a terminal that has gone", 0, []os.Signal{syscall.SIGHUP}, []os.Signal{os.Interrupt}},
	} {
		t.Run(c.name, func(t *testing.T) {
			signals, reached := make(chan os.Signal, len(c.sent)), make(chan struct{}, 8)
			for range c.byItself {
				reached <- struct{}{}
			}
			for _, one := range c.sent {
				signals <- one
			}
			close(signals)
			var got []os.Signal
			passOn(signals, reached, func(one os.Signal) error {
				got = append(got, one)
				reached <- struct{}{}
				return nil
			})
			if !slices.Equal(got, c.want) {
				t.Errorf("want %v passed on, found %v", c.want, got)
			}
		})
	}
}
