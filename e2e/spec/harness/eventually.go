package harness

import (
	"context"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Eventually asks again and again until the assertions hold, for as long as a driver's capacity and lists may take to
// show what was created or deleted. Those that do not hold then fail the case.
func (d *Driver) Eventually(ctx context.Context, assertions func(g gomega.Gomega)) {
	ginkgo.GinkgoHelper()
	const polling = 100 * time.Millisecond
	gomega.Eventually(assertions).WithContext(ctx).WithTimeout(d.target.Timeouts.Settle).WithPolling(polling).Should(gomega.Succeed())
}
