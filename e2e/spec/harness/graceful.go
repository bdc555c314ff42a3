package harness

import (
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Graceful returns the answers among the outcomes of calls at once. The others should be ABORTED, which says that another
// call is pending (GEN-02); any other failure is a warning.
func Graceful[Response any](outcomes []Outcome[Response]) []Response {
	ginkgo.GinkgoHelper()
	var answers []Response
	for _, outcome := range outcomes {
		switch status.Code(outcome.Err) {
		case codes.OK:
			answers = append(answers, outcome.Response)
		case codes.Aborted:
			gomega.Expect(outcome.Err).To(BeRefused("a second call for one volume may be ABORTED (GEN-03)", codes.Aborted))
		default:
			gomega.Expect(outcome.Err).To(BeRefused("a call that fails has a status (GEN-09)"))
			verdict.Warn("several calls at once should be answered, or be ABORTED (GEN-02), and one was refused: %v", outcome.Err)
		}
	}
	return answers
}
