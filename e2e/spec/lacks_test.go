package spec_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// lacks are drivers, or environments, that are right and lack something.
var lacks = map[string]func(*spec.Target){
	"three zones": func(t *spec.Target) {
		t.Nodes = t.Nodes[:3]
	},
	"two nodes in a zone": func(t *spec.Target) {
		t.Nodes = append(t.Nodes, t.Nodes[0])
	},
	"no volumes of two topologies": func(t *spec.Target) {
		t.Profile.Volumes = slices.Clone(t.Profile.Volumes[:1])
	},
	"no capability GET_CAPACITY": func(t *spec.Target) {
		t.Controller = misbehaving{ClientConnInterface: t.Controller, as: withoutCapability(csi.ControllerServiceCapability_RPC_GET_CAPACITY)}
	},
	"no capability CREATE_DELETE_VOLUME": func(t *spec.Target) {
		t.Controller = misbehaving{ClientConnInterface: t.Controller, as: withoutCapability(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME)}
	},
	"less room than a case needs": func(t *spec.Target) {
		t.Profile.VolumeBytes = 1 << 29
	},
}

func TestWhatIsLackingIsSkipped(t *testing.T) {
	for _, c := range []struct {
		lack   string
		passed int
		by     verdict.DecidedBy
		reason string
	}{
		{"three zones", 0, verdict.ByEnvironment, "the node endpoints report 3 topology segments, and the case needs 4"},
		{"two nodes in a zone", 30, "", ""},
		{"no volumes of two topologies", 19, verdict.ByProfile, "the profile has no volumes that are accessible from 2 topologies"},
		{"no capability GET_CAPACITY", 15, verdict.ByCapability, "ControllerGetCapabilities does not list GET_CAPACITY"},
		{"no capability CREATE_DELETE_VOLUME", 0, verdict.ByCapability, "ControllerGetCapabilities does not list CREATE_DELETE_VOLUME"},
		{"less room than a case needs", 0, verdict.ByEnvironment, "has room for 1073741824 bytes, and the case needs 2147483648"},
	} {
		t.Run(c.lack, func(t *testing.T) {
			t.Parallel()
			result := runSuite(t, c.lack)
			if result.Summary.Pass != c.passed || result.Summary.Pass+result.Summary.Skip != len(result.Cases) {
				t.Errorf("got %+v, want %d passed and the others skipped", result.Summary, c.passed)
			}
			for _, skipped := range slices.DeleteFunc(result.Cases, isPass) {
				if skipped.DecidedBy != c.by || !strings.Contains(skipped.Reason, c.reason) {
					t.Errorf("case %s: %s by %q: %s, want by %q: %s", skipped.ID, skipped.Verdict, skipped.DecidedBy, skipped.Reason, c.by, c.reason)
				}
			}
		})
	}
}

func isPass(c report.Case) bool { return c.Verdict == verdict.Pass }
