// SPDX-License-Identifier: Apache-2.0

package ginkgo

import (
	"context"
	"flag"
	"io"
	"regexp"
	"strings"
	"sync/atomic"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
	"k8s.io/klog/v2"
)

// turn is held by the suite that Ginkgo currently runs: a process has one, and one fail handler of Gomega.
var turn = make(chan struct{}, 1)

// guests is true while a guest declares its nodes in Ginkgo. own is true once anything else was declared.
var guests, own atomic.Bool

// The process's own suite is noticed when it is declared: PreviewSpecs would make Ginkgo lose its nodes outside of
// containers.
var _ = ginkgo.AddTreeConstructionNodeArgsTransformer(func(_ types.NodeType, _ ginkgo.Offset, text string, args []any) (string, []any, []error) {
	if !guests.Load() {
		own.Store(true)
	}
	return text, args, nil
})

// Unavailable is the error of a guest that cannot run in this process. Its text is the reason.
type Unavailable string

// Error returns why the guest cannot run.
func (u Unavailable) Error() string { return string(u) }

const (
	// ErrTaken means that the process has its own Ginkgo suite.
	ErrTaken = Unavailable("this process has a Ginkgo suite of its own, and Ginkgo has one at a time: declare the cases in that suite, or run them in a process of their own")
	// ErrFlags means that the process has flags that make Ginkgo end it.
	ErrFlags = Unavailable("Ginkgo refuses the flags -count and -parallel of go test: run the test without them")
)

// refused reports whether Ginkgo would end the process because of a flag of go test.
func refused() bool {
	found := false
	flag.Visit(func(f *flag.Flag) {
		found = found || f.Name == "test.parallel" || f.Name == "test.count" && f.Value.String() != "1"
	})
	return found
}

// take waits until Ginkgo has no suite, or until ctx ends. release leaves Ginkgo without one, and configured as before.
func take(ctx context.Context) (release func(), err error) {
	if ctx.Err() != nil { // otherwise select may take a free turn anyway
		return nil, context.Cause(ctx)
	}
	if refused() {
		return nil, ErrFlags
	}
	select {
	case turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if own.Load() || ginkgo.PreviewSpecs("").PreRunStats.TotalSpecs > 0 { // also what was declared before this package
		<-turn
		return nil, ErrTaken
	}
	guests.Store(true)
	globals.Reset()
	suite, reporter := ginkgo.GinkgoConfiguration()
	return func() {
		globals.Reset()
		ginkgo.PreviewSpecs("", suite, reporter) // with no specs, to restore the configuration from before
		globals.Reset()
		guests.Store(false)
		<-turn
	}, nil
}

// Preview returns the specs that declare declares. It waits until Ginkgo has no other suite.
func Preview(ctx context.Context, declare func()) (types.SpecReports, error) {
	release, err := take(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	declare()
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.LabelFilter = ""
	return ginkgo.PreviewSpecs("", suite, reporter).SpecReports.WithLeafNodeType(types.NodeTypeIt), nil
}

// Run runs the specs that declare declares and that have one of the labels, one after another, and calls ended for each. It
// waits until Ginkgo has no other suite. Logs by klog are discarded. Ginkgo, Gomega and klog are restored afterwards.
func Run(ctx context.Context, declare func(), labels []string, ended func(types.SpecReport)) error {
	release, err := take(ctx)
	if err != nil {
		return err
	}
	defer release()
	quiet, fails := formatter.ColorableStdOut, gomega.Default
	formatter.ColorableStdOut, gomega.Default = io.Discard, gomega.NewGomega(ginkgo.Fail) // Ginkgo's own reporter has no other switch
	defer func() { formatter.ColorableStdOut, gomega.Default = quiet, fails }()
	logged := klog.CaptureState()
	defer logged.Restore()
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard) // csi-sanity logs its deletions there
	declare()
	ginkgo.ReportAfterEach(ended)
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.LabelFilter, suite.Timeout = oneOf(labels), 0
	ginkgo.RunSpecs(outsideOfGoTest{}, "guest", suite, reporter)
	return nil
}

// oneOf returns a filter that matches any of the labels.
func oneOf(labels []string) string {
	patterns := make([]string, 0, len(labels))
	for _, label := range labels {
		patterns = append(patterns, regexp.QuoteMeta(label))
	}
	return "/^(" + strings.Join(patterns, "|") + ")$/"
}

// outsideOfGoTest replaces the *testing.T that Ginkgo expects. Failures are in the results.
type outsideOfGoTest struct{}

func (outsideOfGoTest) Fail() {}
