package harness

import (
	"context"
	"time"

	"github.com/onsi/gomega"
)

// Settled asks again and again until holds does, for as long as a driver's capacity may take to show what was created or
// deleted, and reports whether it does.
func (d *Driver) Settled(ctx context.Context, holds func() bool) bool {
	const polling = 100 * time.Millisecond
	settled := false
	quietly := gomega.NewGomega(func(string, ...int) {}) // settled is the outcome
	quietly.Eventually(func() bool {
		settled = holds()
		return settled
	}).WithContext(ctx).WithTimeout(d.target.Timeouts.Settle).WithPolling(polling).Should(gomega.BeTrue())
	return settled
}
