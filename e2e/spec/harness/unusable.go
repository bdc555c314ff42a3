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

// unusable records that no plain volume could be used on a node before the first case.
type unusable struct {
	rpc  string // the call that failed
	code codes.Code
	text string
}

// NoteUnusable records that the call of that name failed for a plain volume before the first case, as text describes. A case
// that fails or warns after such a call was answered with the same code reports the text, instead of the consequences.
func (s *Suite) NoteUnusable(rpc string, err error, text string) {
	s.target.unusable = &unusable{rpc, status.Code(err), text}
}

// Unusable explains why a call of that name failed with the error, if no plain volume could be used before the first
// case. It is empty for any other call.
func (t *Target) Unusable(rpc string, err error) string {
	if found := t.unusable; found != nil && err != nil && rpc == found.rpc && status.Code(err) == found.code {
		return found.text
	}
	return ""
}

// noteUnusable records that a call of the case failed as it did before the first case.
func noteUnusable(d *Driver, request any, err error) {
	rpc := strings.TrimSuffix(path.Base(strings.ReplaceAll(reflect.TypeOf(request).String(), ".", "/")), "Request")
	if why := d.Target.Unusable(rpc, err); why != "" {
		d.unusable.Store(&why)
	}
}

// sayUnusable makes a case that failed or warned report that no volume can be used.
func sayUnusable(d *Driver, said *suite.Outcome) {
	if why := d.unusable.Load(); why != nil {
		said.Overrule(suite.Mark{Verdict: suite.Errored, Reason: suite.CouldNot, Message: *why})
	}
}
