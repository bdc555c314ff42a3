// SPDX-License-Identifier: Apache-2.0

package sanity_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// allowedSkips returns the cases that csi-sanity may skip, with the reason why the driver does not claim the capability.
// Any other skip is a failure.
func allowedSkips() map[string]string {
	return map[string]string{
		"GroupControllerService not supported": "snapshots of several volumes at one moment need storage that can hold them all still, and say nothing of topology",
	}
}

// sanityCase is one run of csi-sanity: one kind of volume, on one zone's node.
type sanityCase struct {
	controller string
	node       embedded.Node
	kind       volume.Kind
	access     string
	// bytes is the size of volumes, and allocation the value that ControllerModifyVolume sets.
	bytes      int64
	allocation string
}

func (c sanityCase) String() string {
	return fmt.Sprintf("%s as %s in %s", c.kind, c.access, c.node.Segment)
}

// memoryCases returns a case for each access type of volumes in memory, in every zone.
func memoryCases(driver *embedded.Driver) []sanityCase {
	var cases []sanityCase
	for _, node := range driver.Nodes {
		for _, access := range []string{"mount", "block"} {
			cases = append(cases, sanityCase{
				controller: driver.Controller, node: node,
				kind: volume.InMemory, access: access, bytes: 64 << 20, allocation: "thick",
			})
		}
	}
	return cases
}

func (c sanityCase) config(t *testing.T) *sanity.TestConfig {
	directory := t.TempDir()
	config := sanity.NewTestConfig()
	config.Address = c.node.Endpoint
	config.ControllerAddress = c.controller
	config.ControllerDialOptions = append(config.ControllerDialOptions, grpc.WithUnaryInterceptor(accessibleFrom(c.node.Segment)))
	config.TargetPath = filepath.Join(directory, "target")
	config.StagingPath = filepath.Join(directory, "staging")
	config.TestVolumeAccessType = c.access
	config.TestVolumeSize = c.bytes
	config.TestVolumeExpandSize = c.bytes + c.bytes/2
	config.TestVolumeParameters = map[string]string{"kind": string(c.kind), "zones": "1"}
	config.TestVolumeMutableParameters = map[string]string{"allocation": c.allocation}
	config.TestSnapshotParameters = map[string]string{"zones": "1"}
	config.TestNodeVolumeAttachLimit = true
	return &config
}

func TestSanity(t *testing.T) {
	driver, err := embedded.Start(t.Context(), embedded.Options{MaxVolumesPerNode: 3, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := driver.Stop(); err != nil {
			t.Error(err)
		}
	})
	cases := append(memoryCases(driver), diskCases(t)...)
	for _, c := range cases {
		config := c.config(t)
		ginkgo.Describe(c.String(), func() {
			context := sanity.GinkgoTest(config)
			t.Cleanup(context.Finalize)
		})
	}
	passed, skipped := 0, map[string]int{}
	ginkgo.ReportAfterEach(func(spec ginkgo.SpecReport) {
		switch {
		case spec.State.Is(types.SpecStatePassed):
			passed++
		case spec.State.Is(types.SpecStateSkipped):
			skipped[spec.Failure.Message]++
			if _, allowed := allowedSkips()[spec.Failure.Message]; !allowed {
				t.Errorf("%s was skipped: %s", spec.FullText(), spec.Failure.Message)
			}
		}
	})
	gomega.RegisterFailHandler(ginkgo.Fail)
	suite, reporter := ginkgo.GinkgoConfiguration()
	reporter.Succinct = true
	ginkgo.RunSpecs(t, "csi-sanity", suite, reporter)

	t.Logf("%d cases passed, in %d runs of csi-sanity", passed, len(cases))
	for what, count := range skipped {
		t.Logf("%d were skipped, %s: %s", count, what, allowedSkips()[what])
	}
	if volumes, snapshots := driver.Volumes.IDs(), driver.Volumes.SnapshotIDs(); len(volumes)+len(snapshots) > 0 {
		t.Errorf("left behind are volumes %v and snapshots %v", volumes, snapshots)
	}
}

// accessibleFrom adds the requirement to CreateVolume that the volume must be accessible from the node on which
// csi-sanity publishes it, as an orchestrator would: csi-sanity itself does so only in some of its cases.
//
// It sends copies of requests: sending caches the size in a message, and csi-sanity 5.6.0 compares the topology of a
// snapshot, by gomega.Equal, with one that it has sent, which would then differ for any driver.
func accessibleFrom(segment topology.Segment) grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, request, reply any, connection *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
		if message, ok := request.(proto.Message); ok {
			request = proto.Clone(message)
		}
		if create, ok := request.(*csi.CreateVolumeRequest); ok && create.AccessibilityRequirements == nil {
			create.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: []*csi.Topology{{Segments: segment}}}
		}
		return invoke(ctx, method, request, reply, connection, options...)
	}
}
