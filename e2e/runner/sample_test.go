// SPDX-License-Identifier: Apache-2.0

package runner_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/runner"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Ginkgo runs one suite per process, so each test runs this test binary again as a program that runs the one sample
// suite that the environment names.
const (
	sampleVariable = "CSI_TOPO_TEST_SAMPLE"
	focusVariable  = "CSI_TOPO_TEST_FOCUS"
	reportVariable = "CSI_TOPO_TEST_REPORT_DIR"
	exitRefused    = 3
	// unprepared is the sample whose case cannot begin.
	unprepared = "unprepared"
)

// What a sample prints when it is ready to be interrupted, when it has noticed, and when it has cleaned up.
const (
	waiting   = "waiting to be interrupted"
	noticed   = "noticed, and going on"
	cleanedUp = "cleaned up"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(sampleVariable); name != "" {
		os.Exit(runSample(name))
	}
	os.Exit(m.Run())
}

func runSample(name string) int {
	// The context ends with the signal, as that of a command does.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	options := runner.Options{
		Tier:      "spec",
		ReportDir: os.Getenv(reportVariable),
		Seed:      7,
		Out:       os.Stdout,
		Verbose:   true,
		Describe:  func(r *report.ConformanceReport) { r.Driver.Name = "sample" },
	}
	if focus := os.Getenv(focusVariable); focus != "" {
		options.Focus = []string{focus}
	}
	if name == unprepared {
		options.Prepare = func(context.Context) error { return errors.New("no cluster") }
	}
	result, err := runner.Run(ctx, options, func() { samples(cancel)[name]() })
	fmt.Println("run ended")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitRefused
	}
	return report.ExitCode(result)
}

// samples are suites of one area with one case T-1, and a case T-2 where the order matters, by name.
func samples(cancel context.CancelCauseFunc) map[string]func() {
	return map[string]func(){
		"pass": single(func() { verdict.AddProof(suite.NewProof("zone", "Z2")) }),
		"fail": single(func() { gomega.Expect("Z3").To(gomega.Equal("Z2")) }),
		"warn": single(func() { verdict.Warn("took %d s", 9) }),
		"could-not-tell": single(func() {
			verdict.CouldNotTell("wanted an event, the watch broke")
		}),
		"skip":  single(func() { verdict.Skip(suite.ByCapability, "no snapshots") }),
		"panic": single(func() { panic("nil map") }),
		"fail-on-an-object": single(func() {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "reader", ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubelet"}}}}
			gomega.Expect(pod).To(gomega.BeNil())
		}),
		"fail-in-clean-up": func() {
			ginkgo.Describe("placement", func() {
				ginkgo.It("stays", verdict.Case("T-1", "TR-01"), func() {
					ginkgo.DeferCleanup(func() error { return errors.New("volume v1 is still there") })
				})
			})
		},
		"fail-in-set-up": func() {
			ginkgo.Describe("placement", func() {
				ginkgo.BeforeEach(func() { gomega.Expect(errors.New("no driver")).NotTo(gomega.HaveOccurred()) })
				ginkgo.It("starts", verdict.Case("T-1", "TR-01"), func() {})
			})
		},
		"interrupt":      untilInterrupted(func() {}),
		"end-of-context": untilInterrupted(func() { cancel(errors.New("out of time")) }),
		"stubborn":       stubborn,
		"focused": func() {
			ginkgo.Describe("placement", ginkgo.Focus, func() {
				ginkgo.It("hides the others", verdict.Case("T-1", "TR-01"), func() {})
			})
		},
		unprepared: single(func() {}),
		"two": func() {
			ginkgo.Describe("placement", func() {
				ginkgo.It("goes near", verdict.Case("T-1", "TR-01"), func() {})
				ginkgo.It("goes far", verdict.Case("T-2", "TR-02"), func() {})
			})
		},
	}
}

func single(body func()) func() {
	return func() {
		ginkgo.Describe("placement", func() {
			ginkgo.It("goes where it was asked", verdict.Case("T-1", "TR-01"), body)
		})
	}
}

// untilInterrupted is a suite whose first case waits for the end of its context, and fails because of it, as a call to
// a driver would.
func untilInterrupted(begin func()) func() {
	return func() {
		ginkgo.Describe("placement", ginkgo.Ordered, func() {
			ginkgo.It("waits", verdict.Case("T-1", "TR-01"), func(ctx ginkgo.SpecContext) {
				ginkgo.DeferCleanup(func() { fmt.Println(cleanedUp) })
				fmt.Println(waiting)
				begin()
				<-ctx.Done()
				gomega.Expect(ctx.Err()).NotTo(gomega.HaveOccurred())
			})
			ginkgo.It("comes later", verdict.Case("T-2", "TR-02"), func() {})
		})
	}
}

// stubborn is a suite whose case does not stop when it is told to.
func stubborn() {
	ginkgo.Describe("placement", func() {
		ginkgo.It("goes on", verdict.Case("T-1", "TR-01"), func(ctx ginkgo.SpecContext) {
			ginkgo.DeferCleanup(func() { fmt.Println(cleanedUp) })
			fmt.Println(waiting)
			<-ctx.Done()
			fmt.Println(noticed)
			select {}
		})
	})
}
