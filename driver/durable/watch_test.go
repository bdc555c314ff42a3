// SPDX-License-Identifier: Apache-2.0

package durable_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/durable"
)

func TestWatch(t *testing.T) {
	errBefore, errStep, errAfter := errors.New("before"), errors.New("itself"), errors.New("after")
	for _, test := range []struct {
		name                string
		before, step, after error
		want                error
		told                []bool // of the step: whether it was taken
		taken               bool
	}{
		{"a step that is taken", nil, nil, nil, nil, []bool{false, true}, true},
		{"a step that fails by itself", nil, errStep, nil, errStep, []bool{false}, true},
		{"a step that is prevented", errBefore, nil, nil, errBefore, []bool{false}, false},
		{"a step that looks as if it had failed", nil, nil, errAfter, errAfter, []bool{false, true}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var told []bool
			taken := false
			watch := durable.Watch(func(step string, done bool) error {
				told = append(told, done)
				if step != "naming the file" {
					t.Errorf("got step %q", step)
				}
				if done {
					return test.after
				}
				return test.before
			})
			err := watch.Do("naming the file", func() error {
				taken = true
				return test.step
			})
			if !errors.Is(err, test.want) || taken != test.taken || !slices.Equal(told, test.told) {
				t.Errorf("got %v, taken %t and told %v, want %v, %t and %v", err, taken, told, test.want, test.taken, test.told)
			}
			if (errors.Is(err, errBefore) || errors.Is(err, errAfter)) && !strings.Contains(err.Error(), "naming the file: ") {
				t.Errorf("got %v, want an error that names the step", err)
			}
		})
	}
}

func TestNoWatch(t *testing.T) {
	errStep := errors.New("itself")
	taken := 0
	var watch durable.Watch
	for _, want := range []error{nil, errStep} {
		if err := watch.Do("a step", func() error {
			taken++
			return want
		}); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	if taken != 2 {
		t.Errorf("%d steps were taken, want 2", taken)
	}
}
