// SPDX-License-Identifier: Apache-2.0

package ginkgo_test

import (
	"flag"
	"io"
	"os"
	"strconv"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"

	edge "github.com/csi-topo/csi-topo/e2e/suite/ginkgo"
)

// TestMain runs the tests -count times, and hides -count from Ginkgo, which ends the process unless it is 1.
func TestMain(m *testing.M) {
	flag.Parse()
	count := flag.Lookup("test.count").Value
	times, err := strconv.Atoi(count.String())
	if err != nil || count.Set("1") != nil {
		panic("-count: " + count.String())
	}
	code := 0
	for range times {
		code = max(code, m.Run())
	}
	os.Exit(code)
}

// silent replaces the *testing.T that Ginkgo expects, for a suite that has specs that fail on purpose.
type silent struct{}

func (silent) Fail() {}

// runSuite runs the process's own suite, as RunSpecs does in a test, and returns the reports of its specs by their texts.
func runSuite(t *testing.T, declare func(), set func(*types.SuiteConfig)) map[string]types.SpecReport {
	t.Helper()
	was, reporter := ginkgo.GinkgoConfiguration()
	stdout := formatter.ColorableStdOut
	formatter.ColorableStdOut = io.Discard
	defer func() {
		formatter.ColorableStdOut = stdout
		edge.Forget()
		ginkgo.PreviewSpecs("", was, reporter) // sets Ginkgo's configuration
		edge.Forget()
	}()
	declare()
	ended := map[string]types.SpecReport{}
	ginkgo.ReportAfterEach(func(spec ginkgo.SpecReport) { ended[spec.LeafNodeText] = spec })
	config := was
	set(&config)
	ginkgo.RunSpecs(silent{}, "sample", config, reporter)
	return ended
}

func asItIs(*types.SuiteConfig) {}
