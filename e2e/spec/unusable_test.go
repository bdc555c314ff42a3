// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestMissingProgramIsOneFinding checks that, if nodes cannot format a volume, all cases that fail for that reason report
// the same sentence, and the others are judged.
func TestMissingProgramIsOneFinding(t *testing.T) {
	t.Parallel()
	result := spectest.Run(t, spec.Areas(), mutation.Driver{Preflight: true, Fault: mutation.RefusingSome(codes.Internal, `exec: "mkfs.xfs": executable file not found in $PATH`,
		func(r *csi.NodeStageVolumeRequest) bool { return r.GetVolumeCapability().GetMount() != nil })})
	said := map[string]int{}
	for _, c := range result.Cases {
		if c.Verdict != suite.Passed && c.Verdict != suite.Skipped {
			said[string(c.Verdict)+": "+c.Message]++
		}
	}
	if len(said) != 1 {
		t.Errorf("%d different findings, want one: %v", len(said), said)
	}
	for message, times := range said {
		if !strings.Contains(message, "mkfs.xfs") || !strings.Contains(message, "install the program") || times < 10 {
			t.Errorf("%d cases say %s", times, message)
		}
	}
	t.Logf("%+v", result.Summary)
}
