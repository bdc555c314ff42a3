package general

import (
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// calls is how many calls for one volume are in flight at once.
const calls = 4

// graceful returns the answers among the outcomes of calls at once. The others SHOULD be ABORTED, which says that another
// call is pending.
func graceful[Response any](outcomes []harness.Outcome[Response]) []Response {
	ginkgo.GinkgoHelper()
	var answers []Response
	for _, outcome := range outcomes {
		switch status.Code(outcome.Err) {
		case codes.OK:
			answers = append(answers, outcome.Response)
		case codes.Aborted:
			gomega.Expect(outcome.Err).To(harness.BeRefused("a second call for one volume may be ABORTED (GEN-03)", codes.Aborted))
		default:
			gomega.Expect(outcome.Err).To(harness.BeRefused("a call that fails has a status (GEN-09)"))
			verdict.Warn("several calls for one volume should be answered, or be ABORTED (GEN-02), and one was refused: %v", outcome.Err)
		}
	}
	return answers
}
