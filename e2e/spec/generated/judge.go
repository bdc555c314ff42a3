package generated

import (
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// ok judges a call that has to succeed.
func (o *outcome) ok(err error, clause, why string) {
	o.either(err, clause, why)
}

// either judges a call that has to succeed, or to fail with one of the codes.
func (o *outcome) either(err error, clause, why string, or ...codes.Code) {
	o.allow(clause, why, append([]codes.Code{codes.OK}, or...))
	if code := status.Code(err); code != codes.OK && !slices.Contains(or, code) {
		o.broken = append(o.broken, model.Reason{Clause: clause, Text: why})
	}
}

// refusedWith judges a call that has to fail with one of the codes; without codes any will do.
func (o *outcome) refusedWith(err error, clause, why string, with ...codes.Code) {
	o.allow(clause, why, with)
	code := status.Code(err)
	if code == codes.OK || len(with) > 0 && !slices.Contains(with, code) {
		o.broken = append(o.broken, model.Reason{Clause: clause, Text: why})
	}
}

// betterOK judges a call that no MUST lets succeed, though users will regret that it does not.
func (o *outcome) betterOK(err error, clause, why string) {
	o.allow(clause, why, []codes.Code{codes.OK})
	if err != nil {
		o.regretted = append(o.regretted, model.Reason{Clause: clause, Text: why})
	}
}

func (o *outcome) allow(clause, why string, with []codes.Code) {
	var names []string
	for _, code := range with {
		names = append(names, model.CodeName(code))
	}
	if len(names) == 0 {
		names = []string{"any failure"}
	}
	o.allowed = "    " + strings.Join(names, " or ") + "\n        " + model.Reason{Clause: clause, Text: why}.String()
}

// wrong notes what is wrong with an answer, where anything is.
func (o *outcome) wrong(is bool, clause, text string) {
	if is {
		o.broken = append(o.broken, model.Reason{Clause: clause, Text: text})
	}
}
