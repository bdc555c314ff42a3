// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// keysAndValues returns the cases about the keys and values of topologies, of nodes and of a volume.
func keysAndValues() []harness.Case {
	var cases []harness.Case
	for _, c := range []struct {
		id, text, verifies string
		judge              func(all []reported)
	}{
		{"topology_keys", "uses valid keys in the topologies of nodes and of a volume", "TO-01 TO-02 TO-03 TO-04 TO-08 K8S-C17", expectValid(model.Segment.BrokenKeys)},
		{"topology_keys_by_case", "does not use two topology keys that differ only in case", "TO-07 TO-08", expectOneSpelling},
		{"topology_values", "uses valid values in the topologies of nodes and of a volume", "TO-09 TO-10", expectValid(model.Segment.BrokenValues)},
		{"topology_one_prefix", "uses one prefix for all topology keys of nodes and of a volume", "TO-06", expectOnePrefix},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: strings.Fields(c.verifies),
			Needs: harness.Needs(harness.Segments(1), harness.Volumes(volumesEach)),
			Run:   func(ctx context.Context, driver *harness.Driver) { c.judge(everyTopology(ctx, driver)) },
		})
	}
	return cases
}

// reported is a topology that the driver reports, and the answer that contains it.
type reported struct {
	segment model.Segment
	by      string
}

// everyTopology returns the topologies of all nodes, and of a volume that is created for that, by every call that shows it.
func everyTopology(ctx context.Context, driver *harness.Driver) []reported {
	var found []reported
	for _, node := range driver.Nodes {
		found = append(found, reported{node.Segment, "NodeGetInfo of " + node.String()})
	}
	volume := driver.NeedVolume(ctx, driver.Volume(1).Within(driver.Z2))
	found = append(found, reportedBy("CreateVolume", volume)...)
	if driver.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME) {
		// Other cases judge whether these calls fail, or lack the volume.
		if got, err := driver.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: volume.GetVolumeId()}); err == nil {
			found = append(found, reportedBy("ControllerGetVolume", got.GetVolume())...)
		}
	}
	if driver.ListsVolumes() {
		listed, _ := listing.Volumes(ctx, driver)
		for _, v := range listed {
			if v.GetVolumeId() == volume.GetVolumeId() {
				found = append(found, reportedBy("ListVolumes", v)...)
			}
		}
	}
	return found
}

// reportedBy returns the topologies of the volume in the answer to a call.
func reportedBy(call string, volume *csi.Volume) []reported {
	var found []reported
	for _, segment := range messages.Segments(volume.GetAccessibleTopology()) {
		found = append(found, reported{segment, fmt.Sprintf("%s, for volume %s", call, volume.GetVolumeId())})
	}
	return found
}

func expectValid(broken func(model.Segment) []model.Reason) func(all []reported) {
	return func(all []reported) {
		suite.Each(all, func(topology reported) {
			for _, reason := range broken(topology.segment) {
				suite.Fail(reason.Clause, "the topology %s of %s is invalid: %s", topology.segment, topology.by, reason.Text)
			}
		})
	}
}

func expectOneSpelling(all []reported) {
	spelled := map[string]string{}
	for _, topology := range all {
		for key := range topology.segment {
			before, seen := spelled[strings.ToLower(key)]
			suite.Must("TO-08", !seen || before == key, "%s has the key %q, and elsewhere it is %q", topology.by, key, before)
			spelled[strings.ToLower(key)] = key
		}
	}
}

func expectOnePrefix(all []reported) {
	var segments model.Set
	for _, topology := range all {
		segments = append(segments, topology.segment)
	}
	prefixes := segments.Prefixes()
	suite.Must("TO-06", len(prefixes) <= 1, "the keys of topologies have the prefixes %s, and all must have the same", strings.Join(prefixes, " and "))
}

// topologyOwnPrefix returns the case about a prefix that identifies the driver: it shares a word with the driver's
// name, so that no other driver uses it.
func topologyOwnPrefix() harness.Case {
	return harness.Case{
		ID:           "topology_own_prefix",
		Text:         "should have a prefix of its own for topology keys",
		Requirements: []string{"TO-05"},
		Needs:        harness.Segments(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			info := harness.NeedOK(driver.Identity.GetPluginInfo(ctx, &csi.GetPluginInfoRequest{}))
			for _, prefix := range driver.Segments().Prefixes() {
				suite.Should(ctx, "TO-05", shareAWord(prefix, info.GetName()),
					"the prefix %q of topology keys has no word of the driver's name %q, and should include the name of the plugin or its company", prefix, info.GetName())
			}
		},
	}
}

// shareAWord reports whether two domain names have a word in common that identifies their owner.
func shareAWord(prefix, name string) bool {
	words := strings.Split(name, ".")
	ofEverybody := func(word string) bool { return word == "csi" || word == "topology" }
	words = slices.DeleteFunc(words[:max(1, len(words)-1)], ofEverybody)
	return slices.ContainsFunc(strings.Split(prefix, "."), func(word string) bool { return slices.Contains(words, word) })
}
