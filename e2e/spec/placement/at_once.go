package placement

import (
	"slices"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// made are the answers that have a volume.
func made(answers []harness.Answer) []harness.Answer {
	var volumes []harness.Answer
	for _, answer := range answers {
		if answer.Code == codes.OK {
			volumes = append(volumes, answer)
		}
	}
	return volumes
}

// expectGraceful fails the case for a refusal without a message, and warns of one that is neither ABORTED (GEN-03) nor one
// of the others: calls for one volume at the same time should be handled as gracefully as possible (GEN-02).
func expectGraceful(answers []harness.Answer, others ...codes.Code) {
	ginkgo.GinkgoHelper()
	for _, answer := range answers {
		if answer.Code == codes.OK {
			continue
		}
		gomega.Expect(answer).To(harness.LeaveNothingBehind())
		if answer.Code != codes.Aborted && !slices.Contains(others, answer.Code) {
			verdict.Warn("one of %d calls for a name at the same time was answered with %s, and should be OK or ABORTED (GEN-02)", len(answers), answer)
		}
	}
}
