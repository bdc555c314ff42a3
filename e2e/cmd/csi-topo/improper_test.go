// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestAnswersThatAreNone checks that no case runs on a driver that cannot create a plain volume, and that the fault in the
// answer is reported once.
func TestAnswersThatAreNone(t *testing.T) {
	for _, c := range []struct {
		name  string
		wrong func(response *csi.CreateVolumeResponse) error
		of    string
		about string
	}{
		{"a code that is none", func(*csi.CreateVolumeResponse) error { return status.Error(99, "no") }, "run_answers_readable", "GEN-09"},
		{"a negative code", func(*csi.CreateVolumeResponse) error { return status.Error(codes.Code(1<<32-1), "no") }, "run_answers_readable", "GEN-09"},
		{"no UTF-8", func(r *csi.CreateVolumeResponse) error {
			r.Volume.VolumeId = "volume \xff"
			return nil
		}, "run_answers_readable", "GEN-08"},
		{"always ABORTED", func(*csi.CreateVolumeResponse) error { return status.Error(codes.Aborted, "an operation is pending") }, "run_calls_work", "CV-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			flags := broken(t, func(_, response proto.Message, err error) error {
				if created, is := response.(*csi.CreateVolumeResponse); is && err == nil {
					return c.wrong(created)
				}
				return err
			})
			p := program(t, "", append([]string{"spec", "--focus", "size_", "--timeout-provision", "1s", "--timeout-cleanup", "1s"}, flags...)...)
			if p.exit != report.ExitFailed {
				t.Errorf("exit status: want 1, got %d:\n%s%s", p.exit, p.out, p.errOut)
			}
			r := p.report(t)
			for _, found := range r.Cases {
				if blames := strings.Join(found.Blamed, " "); (found.Verdict == suite.Failed) != (found.ID == c.of) || found.ID == c.of && blames != c.about {
					t.Errorf("case %s: %s %s\n%s", found.ID, found.Verdict, blames, found.Message)
				}
			}
			if fails := strings.Count(p.out, "\nFAIL "); fails != 1 {
				t.Errorf("want the finding on the terminal once, got it %d times:\n%s", fails, p.out)
			}
		})
	}
}
