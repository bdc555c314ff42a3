// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"testing"
)

func TestKeep(t *testing.T) {
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	failed := errors.New("a case failed")
	for _, test := range []struct {
		given string
		ctx   context.Context
		err   error
		want  bool
	}{
		{"never", t.Context(), nil, false},
		{"never", t.Context(), failed, false},
		{"on-failure", t.Context(), nil, false},
		{"on-failure", t.Context(), failed, true},
		{"on-failure", interrupted, failed, false},
		{"always", t.Context(), nil, true},
		{"always", interrupted, failed, true},
	} {
		var k keep
		if err := k.Set(test.given); err != nil {
			t.Fatal(err)
		}
		if got := k.after(test.ctx, test.err); got != test.want {
			t.Errorf("%s after %v, interrupted %v: want %v, got %v", test.given, test.err, test.ctx.Err() != nil, test.want, got)
		}
	}
}
