// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/right"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/paths"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
	edge "github.com/csi-topo/csi-topo/e2e/suite/ginkgo"
)

// readyWithin is the time limit for a driver to start.
const readyWithin = 10 * time.Second

// runOn runs csi-sanity in the first segment of the driver.
func runOn(t *testing.T, d mutation.Driver) *report.ConformanceReport {
	t.Helper()
	var segment Segment
	begin := d.Running
	d.Running = func(running *embedded.Driver, target *harness.Target) {
		if begin != nil {
			begin(running, target)
		}
		// As the command does before anything runs.
		ctx, cancel := context.WithTimeout(t.Context(), readyWithin)
		defer cancel()
		if err := wire.WaitUntilReady(ctx, append([]grpc.ClientConnInterface{target.Controller}, target.Nodes...)...); err != nil {
			t.Error(err)
		}
		segment = segmentOf(running, 0)
		if info, err := csi.NewNodeClient(target.Nodes[0]).NodeGetInfo(ctx, &csi.NodeGetInfoRequest{}); err == nil {
			segment.Topology, segment.NodeID = info.GetAccessibleTopology().GetSegments(), info.GetNodeId()
		}
	}
	return spectest.RunCases(t, mutation.Cases{Guest: func(_ context.Context, tier *harness.Suite) suite.Guest {
		return &Guest{Tier: tier, Segments: []Segment{segment}, Extent: Everywhere}
	}}, d)
}

func segmentOf(driver *embedded.Driver, i int) Segment {
	node := driver.Nodes[i]
	return Segment{
		Topology:   map[string]string(node.Segment),
		Controller: driver.Controller,
		Node:       node.Endpoint,
		NodeID:     node.ID,
		Index:      i,
	}
}

// judgement is the expected result of a driver: the verdict of the cases that notice its peculiarity. All others pass or
// are skipped.
type judgement struct {
	mutation.Driver
	want map[place]suite.Verdict
	// says is part of the message of each of them.
	says string
}

var judgements = map[string]judgement{
	"right": {},
	"right, and answers ABORTED to the first call of each mutating request": {
		Driver: mutation.Driver{Fault: slow()},
	},
	"right, and claims capabilities of the future": {
		Driver: mutation.Driver{Fault: fromTheFuture()},
		want: map[place]suite.Verdict{
			{"ControllerGetCapabilities", capabilitiesCase}: suite.Warned,
			{"NodeGetCapabilities", capabilitiesCase}:       suite.Warned,
			{"GetPluginCapabilities", capabilitiesCase}:     suite.Warned,
		},
		says: "and that a CO ignores",
	},
	"right, and tells no topology of its nodes": {
		Driver: mutation.Driver{Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
			response, err := right.NodeGetInfo(ctx, r)
			if response != nil {
				response.AccessibleTopology = nil
			}
			return response, err
		})},
		want: map[place]suite.Verdict{{"NodeGetInfo", "should return appropriate values"}: suite.Warned},
		says: "NI-16",
	},
	"right, and takes any starting_token for the beginning": {
		Driver: mutation.Driver{Fault: mutation.Asking(func(r *csi.ListVolumesRequest) { r.StartingToken = "" })},
		want:   map[place]suite.Verdict{{"ListVolumes", "should fail when an invalid starting_token is passed"}: suite.Warned},
		says:   "LV-17",
	},
	"right, and grows volumes by more than asked": {
		Driver: mutation.Driver{Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
			if r.GetCapacityRange() != nil {
				r.CapacityRange.RequiredBytes += 1 << 20
			}
			return right.ControllerExpandVolume(ctx, r)
		})},
		want: map[place]suite.Verdict{
			{expandVolume, "should work"}: suite.Warned,
			{"NodeExpandVolume", "should work if node-expand is called after node-publish"}: suite.Warned,
		},
		says: "a volume may grow to more than it must",
	},
	"right, with names of 63 letters of RFC 1035 at most": {
		Driver: mutation.Driver{Fault: mutation.Refusing(func(request proto.Message) error {
			named, isNamed := request.(interface{ GetName() string })
			if isNamed && named.GetName() != "" && !label.MatchString(named.GetName()) {
				return status.Errorf(codes.InvalidArgument, "name %q is not a label", named.GetName())
			}
			return nil
		})},
		want: map[place]suite.Verdict{
			{"CreateVolume", "should not fail when creating volume with maximum-length name"}:  suite.Warned,
			{createSnapshot, "should succeed when creating snapshot with maximum-length name"}: suite.Warned,
		},
		says: "expected the call to succeed; Create",
	},
	"right, with a name that ends with a digit": {
		Driver: mutation.Driver{Fault: mutation.On(func(context.Context, mutation.Right, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
			return &csi.GetPluginInfoResponse{Name: "csi.example.com-v2", VendorVersion: "1"}, nil
		})},
		want: map[place]suite.Verdict{{"GetPluginInfo", "should return appropriate information"}: suite.Warned},
		says: "a name may end with a digit",
	},
	"wrong, and publishes a volume of a single writer at a second target": {
		Driver: mutation.Driver{Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
			if strings.HasSuffix(r.GetTargetPath(), "/other_target") {
				return &csi.NodePublishVolumeResponse{}, nil
			}
			return right.NodePublishVolume(ctx, r)
		})},
		want: map[place]suite.Verdict{{multiWriter, secondTarget}: suite.Warned},
		says: "the table says what the plugin SHOULD answer",
	},
	"wrong, and has a name with a space": {
		Driver: mutation.Driver{Fault: mutation.On(func(context.Context, mutation.Right, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
			return &csi.GetPluginInfoResponse{Name: "csi example", VendorVersion: "1"}, nil
		})},
		want: map[place]suite.Verdict{{"GetPluginInfo", "should return appropriate information"}: suite.Failed},
		says: "GetPluginInfo answered OK.",
	},
	"wrong, and fails to delete what is not there": {
		Driver: mutation.Driver{Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
			if r.GetVolumeId() == "fake-vol-id" {
				return nil, status.Error(codes.NotFound, "no such volume")
			}
			return right.DeleteVolume(ctx, r)
		})},
		want: map[place]suite.Verdict{{"DeleteVolume", "should succeed when an invalid volume id is used"}: suite.Failed},
		says: `csi-sanity expected the call to succeed; DeleteVolume answered NOT_FOUND: "no such volume".`,
	},
	"wrong, and fails to undo what was never done": { // as csi-sanity does after most of its cases
		Driver: mutation.Driver{Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
			if _, err := os.Lstat(r.GetTargetPath()); err != nil && r.GetTargetPath() != "" {
				return nil, status.Error(codes.Internal, "not mounted")
			}
			return right.NodeUnpublishVolume(ctx, r)
		}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
			if _, err := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetVolumeId()}); err != nil && r.GetVolumeId() != "" {
				return nil, status.Error(codes.Internal, "no such storage")
			}
			return right.ControllerUnpublishVolume(ctx, r)
		}))},
		want: map[place]suite.Verdict{},
		says: "",
	},
	"wrong, and validates capabilities of volumes that do not exist": {
		Driver: mutation.Driver{Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error) {
			response, err := right.ValidateVolumeCapabilities(ctx, r)
			if status.Code(err) == codes.NotFound {
				return &csi.ValidateVolumeCapabilitiesResponse{}, nil
			}
			return response, err
		})},
		want: map[place]suite.Verdict{{"ValidateVolumeCapabilities", "should fail when the requested volume does not exist"}: suite.Failed},
		says: "csi-sanity expected the call to be refused; ValidateVolumeCapabilities answered OK.",
	},
}

var label = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$`)

// slow answers ABORTED when a volume or a snapshot is first requested by a name.
func slow() mutation.Fault {
	var asked atomic.Pointer[string]
	return mutation.Refusing(func(request proto.Message) error {
		named, isNamed := request.(interface{ GetName() string })
		if !isNamed || named.GetName() == "" {
			return nil
		}
		name := named.GetName()
		if last := asked.Swap(&name); last == nil || *last != name {
			return status.Error(codes.Aborted, "the work is not done")
		}
		return nil
	})
}

func fromTheFuture() mutation.Fault {
	const future = 1000
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
		response, err := right.ControllerGetCapabilities(ctx, r)
		response.Capabilities = append(response.GetCapabilities(), &csi.ControllerServiceCapability{
			Type: &csi.ControllerServiceCapability_Rpc{Rpc: &csi.ControllerServiceCapability_RPC{Type: future}},
		})
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeGetCapabilitiesRequest) (*csi.NodeGetCapabilitiesResponse, error) {
		response, err := right.NodeGetCapabilities(ctx, r)
		kind := &csi.NodeServiceCapability{}
		kind.ProtoReflect().SetUnknown([]byte{0x52, 0x00}) // field 10, a message
		response.Capabilities = append(response.GetCapabilities(), kind)
		return response, err
	})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
		response, err := right.GetPluginCapabilities(ctx, r)
		response.Capabilities = append(response.GetCapabilities(), &csi.PluginCapability{
			Type: &csi.PluginCapability_Service_{Service: &csi.PluginCapability_Service{Type: future}},
		})
		return response, err
	}))
}

func TestCsiSanity(t *testing.T) {
	ids := declared(t)
	t.Run("every assertion is one of the pinned version", func(t *testing.T) {
		for _, a := range stricter {
			if ids[a.place] == "" {
				t.Errorf("csi-sanity %s has no case %q in %q", version, a.text, a.in)
			}
		}
	})
	for name, want := range judgements {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expected := map[string]suite.Verdict{}
			for at, v := range want.want {
				expected[ids[at]] = v
			}
			for _, c := range runOn(t, want.Driver).Cases {
				expect(t, c, expected[c.ID], want.says)
			}
		})
	}
}

// TestRightDrivers checks that csi-sanity fails none of the correct but unusual drivers.
func TestRightDrivers(t *testing.T) {
	for _, driver := range right.Drivers() {
		t.Run(driver.Name, func(t *testing.T) {
			t.Parallel()
			result := runOn(t, driver.With(right.All))
			t.Logf("%+v", result.Summary)
			for _, c := range result.Cases {
				if c.Verdict == suite.Failed || c.Verdict == suite.Errored {
					t.Errorf("case %s: %s %s\n%s", c.ID, c.Verdict, c.Reason, c.Message)
				}
			}
		})
	}
}

// expect checks that a case has the verdict or, if want is empty, one that is equivalent to passed.
func expect(t *testing.T, got report.Case, want suite.Verdict, says string) {
	t.Helper()
	switch {
	case want == "" && got.Verdict != suite.Passed && got.Verdict != suite.Skipped:
		t.Errorf("case %s: %s %s\n%s\nwant it passed", got.ID, got.Verdict, got.Reason, got.Message)
	case want != "" && (got.Verdict != want || !strings.Contains(got.Message, says)):
		t.Errorf("case %s: %s %s\n%s\nwant %s with %q", got.ID, got.Verdict, got.Reason, got.Message, want, says)
	case want != "" && strings.Contains(got.Message, "codes.Code"):
		t.Errorf("case %s shows a Go value:\n%s", got.ID, got.Message)
	}
}

// declared returns the ids of csi-sanity's cases in the first segment.
func declared(t *testing.T) map[place]string {
	t.Helper()
	tier := harness.New(&harness.Target{Paths: paths.Local("/"), Nodes: make([]grpc.ClientConnInterface, 1)})
	specs, err := edge.Preview(t.Context(), func() { Declare(t.Context(), tier, []Segment{{}}, Everywhere) })
	if err != nil {
		t.Fatal(err)
	}
	ids := map[place]string{}
	for _, spec := range specs {
		ids[placeOf(spec)] = idOf(spec)
	}
	return ids
}

func TestStricterQuotesTheSpecification(t *testing.T) {
	lines := specification(t)
	for _, a := range stricter {
		const most = 12 // lines of a quote
		text := strings.Join(lines[a.line-1:min(a.line-1+most, len(lines))], "\n")
		if !strings.Contains(plainText(text), plainText(a.quote)) {
			t.Errorf("%s / %s: line %d of the specification does not have %q", a.in, a.text, a.line, a.quote)
		}
		if _, known := requirement.ByID(a.clause); a.clause != "" && !known {
			t.Errorf("%s / %s: there is no requirement %s", a.in, a.text, a.clause)
		}
	}
}

// specification returns the lines of the version that the table quotes.
func specification(t *testing.T) []string {
	t.Helper()
	module(t, "github.com/kubernetes-csi/csi-test/v5", version)
	dir := module(t, "github.com/container-storage-interface/spec", specVersion)
	data, err := os.ReadFile(filepath.Join(dir, "spec.md"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n")
}

// module returns the directory with the source of a module, and fails the test unless it has the version.
func module(t *testing.T, path, version string) string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Version}} {{.Dir}}", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	at, dir, _ := strings.Cut(strings.TrimSpace(string(output)), " ")
	if at != "v"+version {
		t.Fatalf("the table is of version %s of %s, which is %s now: go through it", version, path, at)
	}
	return dir
}

var decoration = regexp.MustCompile(`//|[*\x60]|\s+`)

// plainText returns the text without the marks of comments, emphasis and line breaks between its words.
func plainText(text string) string {
	return strings.Join(strings.Fields(decoration.ReplaceAllString(text, " ")), " ")
}
