// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/internal/sanity"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// BenchmarkSegments runs the spec tier without csi-sanity against the embedded driver with more and more segments, one node
// in each. It reports the duration, the CPU time, the numbers of recorded calls and of volumes, and the peak memory of the
// process, which includes the driver. scripts/bench-spec.sh prints them.
func BenchmarkSegments(b *testing.B) {
	for _, count := range []int{1, 4, 16, 64, 256} {
		b.Run(strconv.Itoa(count), func(b *testing.B) {
			var seconds, cpu, calls, volumes, memory []float64
			for range b.N {
				p := endedProgram{reportDir: b.TempDir()}
				command := exec.CommandContext(b.Context(), os.Args[0])
				command.Env = append(os.Environ(), programVariable+"=1", segmentsVariable+"="+strconv.Itoa(count), reportVariable+"="+p.reportDir)
				if output, err := command.CombinedOutput(); err != nil {
					b.Fatalf("%d segments: %v\n%s", count, err, output)
				}
				const kibi = 1 << 10
				memory = append(memory, float64(command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/kibi)
				cpu = append(cpu, (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds())
				called, made := recorded(b, p.reportDir)
				calls, volumes = append(calls, float64(called)), append(volumes, float64(made))
				for _, c := range p.report(b).Cases {
					if c.Verdict != suite.Passed && c.Verdict != suite.Skipped {
						b.Errorf("case %s: %s %s %s", c.ID, c.Verdict, c.Reason, c.Message)
					}
				}
				seconds = append(seconds, p.report(b).Summary.Seconds)
			}
			b.ReportMetric(0, "ns/op") // ns/op is not one of the figures
			b.ReportMetric(median(seconds), "segments-s")
			b.ReportMetric(median(cpu), "cpu-s")
			b.ReportMetric(median(calls), "calls")
			b.ReportMetric(median(volumes), "volumes")
			b.ReportMetric(median(memory), "MiB")
		})
	}
}

// recorded returns the number of calls in the report, and of the volumes that they created.
func recorded(b *testing.B, reportDir string) (calls, volumes int) {
	b.Helper()
	file, err := os.Open(filepath.Join(reportDir, "calls.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	made := map[string]bool{}
	lines := json.NewDecoder(bufio.NewReader(file))
	for lines.More() {
		var call struct {
			Response struct {
				Volume struct {
					ID string `json:"volume_id"`
				} `json:"volume"`
			} `json:"response"`
			Method string `json:"method"`
		}
		if err := lines.Decode(&call); err != nil {
			b.Fatal(err)
		}
		calls++
		if path.Base(call.Method) == "CreateVolume" && call.Response.Volume.ID != "" {
			made[call.Response.Volume.ID] = true
		}
	}
	return calls, len(made)
}

// specOnSegments runs the spec tier on the embedded driver with the given number of segments.
func specOnSegments(count, reportDir string) int {
	if err := runSegments(context.Background(), count, reportDir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return report.ExitError
	}
	return report.ExitPassed
}

func runSegments(ctx context.Context, count, reportDir string) (err error) {
	segments, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	dir, remove, err := directoryInMemory()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	driver := unstarted(dir)
	for i := range segments {
		zone := fmt.Sprintf("Z%03d", i+1)
		driver.options.Segments = append(driver.options.Segments, topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: zone})
	}
	if err := driver.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, driver.Stop()) }()
	options := spec.Options{
		Profile: profile.Reference, Endpoint: driver.Controller, Dir: dir, Restart: driver.restart,
		Cases: suite.Options{ReportDir: reportDir, Seed: 1, Label: "!" + sanity.Label},
	}
	for _, node := range driver.Nodes {
		options.NodeEndpoints, options.Segments = append(options.NodeEndpoints, node.Endpoint), append(options.Segments, node.Segment)
	}
	_, err = spec.Run(ctx, options)
	return err
}
