// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"path"
	"reflect"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// unusable is that no plain volume could be used on a node before the first case.
type unusable struct {
	rpc  string // that failed
	code codes.Code
	text string
}

// NoteUnusable has cases know that the call of that name failed for a plain volume before the first of them, of which text
// says all. A case that ends badly or warns after such a call was answered with the same code says so, instead of what follows from it.
func (s *Suite) NoteUnusable(rpc string, err error, text string) {
	s.target.unusable = &unusable{rpc, status.Code(err), text}
}

// Unusable says why a call of that name failed with the error, where no plain volume could be used before the first case;
// nothing for any other call.
func (t *Target) Unusable(rpc string, err error) string {
	if found := t.unusable; found != nil && err != nil && rpc == found.rpc && status.Code(err) == found.code {
		return found.text
	}
	return ""
}

// noteUnusable keeps that a call of the case failed as it did before the first case.
func noteUnusable(d *Driver, request any, err error) {
	rpc := strings.TrimSuffix(path.Base(strings.ReplaceAll(reflect.TypeOf(request).String(), ".", "/")), "Request")
	if why := d.Target.Unusable(rpc, err); why != "" {
		d.unusable.Store(&why)
	}
}

// sayUnusable says of a case that ended badly, or warned, that no volume can be used.
func sayUnusable(d *Driver, said *suite.Outcome) {
	if why := d.unusable.Load(); why != nil {
		said.Overrule(suite.Mark{Verdict: suite.Errored, Reason: suite.CouldNot, Message: *why})
	}
}
