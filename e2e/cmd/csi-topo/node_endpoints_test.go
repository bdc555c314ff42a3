// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestADriverOfNodesAlone judges a driver with only the Identity and Node services by its node endpoint and an existing
// volume.
func TestADriverOfNodesAlone(t *testing.T) {
	driver, _ := elsewhere(t, "a")
	id := somebodyElses(t, driver)
	node := between(t, driver.Nodes[0].Endpoint, func(_ context.Context, request proto.Message, perform func() (proto.Message, error)) (proto.Message, error) {
		response, err := perform()
		switch r := response.(type) {
		case *csi.GetPluginCapabilitiesResponse:
			r.Capabilities = slices.DeleteFunc(r.GetCapabilities(), func(c *csi.PluginCapability) bool { return c.GetService() != nil })
		case *csi.NodeGetInfoResponse:
			r.AccessibleTopology = nil
		}
		return response, err
	})
	file := written(t, fmt.Sprintf("endpoints: {nodes: [%q]}\nexistingVolume: {volumeHandle: %q}\n", node, id))
	p := program(t, "", "spec", "--profile", file)
	if p.exit != report.ExitPassed {
		t.Errorf("exit status %d, want 0:\n%s%s", p.exit, p.out, p.errOut)
	}
	for _, c := range p.report(t).Cases {
		if c.ID == "publish_makes_target" && c.Verdict != suite.Passed {
			t.Errorf("%s: %s %s", c.ID, c.Verdict, c.Reason)
		}
	}
	keeps(t, driver, id)
	written, err := profile.Parse("printed.yaml", []byte(program(t, "", "profile", "init", "--output-file", "-", "--node-endpoint", node).out))
	if err != nil || written.Endpoints.Controller != "" || written.ControllerPerNode || len(written.Endpoints.Nodes) != 1 {
		t.Errorf("profile init: %v, %+v", err, written)
	}
}

// TestAControllerOnEachNode judges a driver with a controller on each node, only by its node endpoints.
func TestAControllerOnEachNode(t *testing.T) {
	var drivers []*embedded.Driver
	var flags []string
	for _, name := range []string{"node-a", "node-b"} {
		driver, _ := elsewhere(t, name)
		drivers, flags = append(drivers, driver), append(flags, "--node-endpoint", together(t, driver, name))
	}
	const kinds = "volumes: [{accessibleFrom: 1}]\ncontrollerPerNode: true\n"
	p := program(t, "", append([]string{"spec", "--profile", written(t, kinds), "--focus", "^T-|^forms|^snapshots_by_source|^publish_makes|^volumes_paged|^sanity_._040"}, flags...)...)
	if sum := p.report(t).Summary; p.exit != report.ExitPassed || sum.Pass == 0 || sum.Warn > 0 {
		t.Errorf("exit status %d, want 0 and no warning:\n%s%s", p.exit, p.out, p.errOut)
	}
	for _, driver := range drivers {
		if left := driver.Volumes.IDs(); len(left) > 0 {
			t.Errorf("volumes %q are left", left)
		}
	}
	if p := program(t, "", append([]string{"spec"}, flags...)...); p.exit != report.ExitError || !strings.Contains(p.errOut, "set controllerPerNode in the profile") {
		t.Errorf("without controllerPerNode: exit status %d, %q", p.exit, p.errOut)
	}
	written, err := profile.Parse("printed.yaml", []byte(program(t, "", append([]string{"profile", "init", "--output-file", "-"}, flags...)...).out))
	if err != nil || !written.ControllerPerNode || written.Endpoints.Controller != "" || len(written.Endpoints.Nodes) != 2 {
		t.Errorf("profile init: %v, %+v", err, written)
	}
}

// together serves the controller and the first node of the driver at one endpoint, where the node has the id.
func together(t *testing.T, driver *embedded.Driver, id string) string {
	t.Helper()
	node, err := wire.Dial(driver.Nodes[0].Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = node.Close() })
	own, err := csi.NewNodeClient(node).NodeGetInfo(t.Context(), &csi.NodeGetInfoRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return between(t, driver.Controller, func(ctx context.Context, request proto.Message, perform func() (proto.Message, error)) (proto.Message, error) {
		switch r := request.(type) {
		case *csi.ControllerPublishVolumeRequest:
			r.NodeId = strings.Replace(r.GetNodeId(), id, own.GetNodeId(), 1)
		case *csi.ControllerUnpublishVolumeRequest:
			r.NodeId = strings.Replace(r.GetNodeId(), id, own.GetNodeId(), 1)
		}
		rpc, isOfNode := strings.CutSuffix(string(request.ProtoReflect().Descriptor().Name()), "Request")
		if isOfNode = isOfNode && strings.HasPrefix(rpc, "Node"); !isOfNode {
			return perform()
		}
		kind, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName("csi.v1." + rpc + "Response"))
		if err != nil {
			return nil, err
		}
		response := kind.New().Interface()
		err = node.Invoke(ctx, "/csi.v1.Node/"+rpc, request, response)
		if info, tells := response.(*csi.NodeGetInfoResponse); tells {
			info.NodeId = id
		}
		return response, err
	})
}
