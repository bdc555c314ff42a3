// SPDX-License-Identifier: Apache-2.0

package privileged

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

// fakeT records how a test ended.
type fakeT struct {
	testing.TB

	skipped, failed bool
}

func (f *fakeT) Helper() {}

func (f *fakeT) Skip(...any) {
	f.skipped = true
	runtime.Goexit()
}

func (f *fakeT) Fatalf(string, ...any) {
	f.failed = true
	runtime.Goexit()
}

func TestSkip(t *testing.T) {
	missing := errors.New("needs root")
	for _, test := range []struct {
		name            string
		missing         error
		required        string
		skipped, failed bool
	}{
		{name: "nothing is missing"},
		{name: "nothing is missing, and it is required", required: "1"},
		{name: "root is missing", missing: missing, skipped: true},
		{name: "root is missing, and it is required", missing: missing, required: "1", failed: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(variable, test.required)
			fake, ended := &fakeT{}, make(chan struct{})
			go func() {
				defer close(ended)
				skip(fake, test.missing)
			}()
			<-ended
			if fake.skipped != test.skipped || fake.failed != test.failed {
				t.Errorf("skipped %t and failed %t, want %t and %t", fake.skipped, fake.failed, test.skipped, test.failed)
			}
		})
	}
}

func TestUser(t *testing.T) {
	if err := user(0); err != nil {
		t.Errorf("for root: %v", err)
	}
	if err := user(65534); err == nil || !strings.Contains(err.Error(), "65534") {
		t.Errorf("for another user: want an error with the id, got %v", err)
	}
}

// TestNeed is skipped or fails for users other than root; setpriv --reuid 65534 runs it as one.
func TestNeed(t *testing.T) { Need(t) }

func TestNeedDisks(t *testing.T) { NeedDisks(t) }
