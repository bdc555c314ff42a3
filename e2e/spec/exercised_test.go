// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// wantClaimsExercised checks the report for the reference driver: it passes, and each capability that it claims is needed by
// a case.
func wantClaimsExercised(t *testing.T, result *report.ConformanceReport) {
	t.Helper()
	needed := map[string]bool{}
	passed := map[string]bool{}
	for _, c := range result.Cases {
		passed[c.ID] = c.Verdict == suite.Passed
		if c.Verdict != suite.Passed && c.Verdict != suite.Skipped {
			t.Errorf("case %s: %s %s %s", c.ID, c.Verdict, c.Reason, c.Message)
		}
	}
	for _, c := range suite.List(spec.Areas()) {
		for _, need := range c.Needs {
			needed[need] = needed[need] || passed[c.ID]
		}
	}
	claimed := claims(t)
	const least = 20
	if len(claimed) < least {
		t.Errorf("the reference driver claims %q only", claimed)
	}
	for _, claim := range claimed {
		if !needed[claim] {
			t.Errorf("the reference driver claims %s, and no case that passes needs it", claim)
		}
	}
}

// claims returns the capabilities that the reference driver claims, as the labels of cases name them. Every case needs
// CONTROLLER_SERVICE, and UNKNOWN is not a capability.
func claims(t *testing.T) []string {
	t.Helper()
	driver, err := embedded.Start(t.Context(), embedded.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := driver.Stop(); err != nil {
			t.Error(err)
		}
	})
	controller, err := wire.Dial(driver.Controller)
	if err != nil {
		t.Fatal(err)
	}
	node, err := wire.Dial(driver.Nodes[0].Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	plugin, err := csi.NewIdentityClient(controller).GetPluginCapabilities(t.Context(), &csi.GetPluginCapabilitiesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range plugin.GetCapabilities() {
		if expansion := c.GetVolumeExpansion(); expansion != nil {
			found = append(found, "expansion-"+expansion.GetType().String())
		} else {
			found = append(found, c.GetService().GetType().String())
		}
	}
	ofController, err := csi.NewControllerClient(controller).ControllerGetCapabilities(t.Context(), &csi.ControllerGetCapabilitiesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range ofController.GetCapabilities() {
		found = append(found, c.GetRpc().GetType().String())
	}
	ofNode, err := csi.NewNodeClient(node).NodeGetCapabilities(t.Context(), &csi.NodeGetCapabilitiesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range ofNode.GetCapabilities() {
		found = append(found, "node-"+c.GetRpc().GetType().String())
	}
	return slices.DeleteFunc(found, func(claim string) bool { return claim == csi.PluginCapability_Service_CONTROLLER_SERVICE.String() })
}
