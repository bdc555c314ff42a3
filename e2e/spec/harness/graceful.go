// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Graceful returns the answers among the outcomes of calls at once. The others should be ABORTED, which says that another
// call is pending (GEN-02), or another status that may pass; any other failure is a warning. A
// call that was refused so is repeated, as a CO does, and its answer is returned as well.
func Graceful[Response any](ctx context.Context, outcomes []Outcome[Response]) []Response {
	var answers []Response
	for _, outcome := range outcomes {
		code := status.Code(outcome.Err)
		switch {
		case code == codes.OK:
			answers = append(answers, outcome.Response)
		case MayPass(code):
			ExpectRefused(ctx, "GEN-03", outcome.Err, "a second call for one volume may be refused while the first is pending", code)
			answers = append(answers, Need(outcome.again()))
		default:
			ExpectRefused(ctx, "GEN-09", outcome.Err, "a call that fails has a status")
			suite.Warn(ctx, "GEN-02", "several calls at once should be answered, or be ABORTED, and one was refused: %s", Describe(outcome.Err))
		}
	}
	return answers
}
