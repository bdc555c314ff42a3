// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// TestRefusalBlamesItsCondition refuses a volume that is possible, unless conditions hold that the oracle does not
// know.
func TestRefusalBlamesItsCondition(t *testing.T) {
	type condition struct {
		code   codes.Code
		clause string
	}
	capability, size := condition{codes.InvalidArgument, "CV-16"}, condition{codes.OutOfRange, "CREATE-11"}
	zone := model.Segment{"zone": "Z2"}
	possible := model.AnswersTo(model.Request{X: 1, Bytes: 1}, model.World{Places: []model.Place{{Segment: zone, Room: model.Exactly(1)}}})

	for _, c := range []struct {
		name       string
		conditions []condition
		code       codes.Code
		grade      model.Grade
		clause     string
	}{
		{"the code of a condition", []condition{capability}, codes.InvalidArgument, model.Allowed, "CV-16"},
		{"the code of no condition", []condition{capability}, codes.Internal, model.Forbidden, "CV-16"},
		{"the code of no row", []condition{size}, codes.Internal, model.Forbidden, "CREATE-02"},
		{"the code of none of two conditions", []condition{capability, size}, codes.Internal, model.Forbidden, "CREATE-02"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answers := allowance{Answers: possible}
			for _, may := range c.conditions {
				answers.may(may.code, may.clause, "it may be so")
			}
			got := answers.judge(model.Answer{Code: c.code})
			if got.Grade != c.grade || got.Reasons[0].Clause != c.clause {
				t.Errorf("%s: got grade %v by %s, want %v by %s", c.code, got.Grade, got.Reasons[0].Clause, c.grade, c.clause)
			}
		})
	}
}
