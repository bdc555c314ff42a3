// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/sanity"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// BenchmarkSpec runs the spec tier without csi-sanity, and csi-sanity alone, in turn, each with a separate driver of the
// same kind. It reports the duration of the tier, the mean duration of a case of each, and their ratio: medians over the
// turns. scripts/bench-spec.sh prints them.
func BenchmarkSpec(b *testing.B) {
	var tier, ours, theirs, ratios []float64
	cases := 0
	for turn := range b.N {
		seconds, mean, count := meanOf(b, program(b, "", "spec", "--seed", strconv.Itoa(turn+1), "--label", "!"+sanity.Label).report(b))
		_, sane, _ := meanOf(b, csiSanity(b))
		cases = count
		tier, ours, theirs, ratios = append(tier, seconds), append(ours, mean), append(theirs, sane), append(ratios, mean/sane)
	}
	const thousand = 1000
	b.ReportMetric(0, "ns/op") // a turn is none of the figures asked for
	b.ReportMetric(float64(cases), "cases")
	b.ReportMetric(median(tier), "tier-s")
	b.ReportMetric(thousand*median(ours), "case-ms")
	b.ReportMetric(thousand*median(theirs), "csi-sanity-spec-ms")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(slices.Min(ratios), "ratio-min")
	b.ReportMetric(slices.Max(ratios), "ratio-max")
}

// meanOf returns the run's duration, the mean duration of the cases that were not skipped, both in seconds, and their
// number.
func meanOf(b *testing.B, r report.ConformanceReport) (run, mean float64, count int) {
	b.Helper()
	sum := 0.0
	for _, c := range r.Cases {
		switch c.Verdict {
		case suite.Skipped:
			continue
		case suite.Passed:
			sum += c.Seconds
			count++
		default:
			b.Fatalf("case %s: %s %s %s", c.ID, c.Verdict, c.Reason, c.Message)
		}
	}
	return r.Summary.Seconds, sum / float64(count), count
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// csiSanity runs csi-sanity in its own process: Ginkgo runs one suite in each.
func csiSanity(b *testing.B) report.ConformanceReport {
	b.Helper()
	p := endedProgram{reportDir: b.TempDir()}
	command := exec.CommandContext(b.Context(), os.Args[0])
	command.Env = append(os.Environ(), programVariable+"=1", sanityVariable+"="+p.reportDir)
	if output, err := command.CombinedOutput(); err != nil {
		b.Fatalf("csi-sanity: %v\n%s", err, output)
	}
	return p.report(b)
}

// sanityAlone runs csi-sanity alone on the embedded driver.
func sanityAlone(reportDir string) int {
	if err := runSanity(context.Background(), reportDir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return report.ExitError
	}
	return report.ExitPassed
}

func runSanity(ctx context.Context, reportDir string) (err error) {
	dir, remove, err := directory()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	driver, err := embed(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, driver.Stop()) }()
	options := spec.Options{
		Profile: profile.Reference, Endpoint: driver.Controller, Dir: dir, Sanity: string(sanity.Everywhere),
		Cases: suite.Options{ReportDir: reportDir, Label: sanity.Label},
	}
	for _, node := range driver.Nodes {
		options.NodeEndpoints = append(options.NodeEndpoints, node.Endpoint)
	}
	_, err = spec.Run(ctx, options)
	return err
}
