// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// written writes a profile of the reference driver with the lines, and returns its path.
func written(t *testing.T, lines string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "profile.yaml")
	if err := os.WriteFile(file, []byte("driver: hostpath.topo.csi\nvolumeBytes: 1048576\n"+lines), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestTheRunEndsWhereThePlainVolumeIsRefused(t *testing.T) {
	driver, flags := elsewhere(t)
	file := written(t, "volumes: [{accessibleFrom: 1, parameters: {zones: many}}]\n")
	p := program(t, "", append([]string{"spec", "--profile", file}, flags...)...)
	if p.exit != report.ExitError {
		t.Errorf("exit status %d, want 2:\n%s", p.exit, p.out)
	}
	for _, want := range []string{"the driver refuses a plain volume", "name csi-topo-", "parameters zones=many", "accessibility_requirements of requisite {", "preferred {", "INVALID_ARGUMENT", "the same in every other form", "set parameters of the first of the profile's volumes"} {
		if !strings.Contains(p.errOut, want) || strings.Count(strings.TrimSpace(p.errOut), "\n") > 0 {
			t.Errorf("got %q, want one line with %q", p.errOut, want)
		}
	}
	if got := driver.Volumes.IDs(); len(got) > 0 {
		t.Errorf("the driver has volumes %q, want none", got)
	}
}

func TestTheRunEndsWithTheAccessModeThatIsLacking(t *testing.T) {
	driver, flags := elsewhere(t)
	p := program(t, "", append([]string{"spec", "--endpoint", between(t, driver.Controller, ofSeveralNodesOnly)}, flags[2:]...)...)
	if p.exit != report.ExitError {
		t.Errorf("exit status %d, want 2:\n%s", p.exit, p.out)
	}
	for _, want := range []string{"volume_capabilities SINGLE_NODE_WRITER mount", "set accessMode", "MULTI_NODE_MULTI_WRITER"} {
		if !strings.Contains(p.errOut, want) {
			t.Errorf("got %q, want %q in it", p.errOut, want)
		}
	}
	if got := driver.Volumes.IDs(); len(got) > 0 {
		t.Errorf("the driver has volumes %q, want none", got)
	}
}

// ofSeveralNodesOnly answers like a driver that has only volumes for several nodes.
func ofSeveralNodesOnly(_ context.Context, request proto.Message, perform func() (proto.Message, error)) (proto.Message, error) {
	r, creates := request.(*csi.CreateVolumeRequest)
	if creates && r.GetVolumeCapabilities()[0].GetAccessMode().GetMode() != csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER {
		return nil, status.Error(codes.InvalidArgument, "the access mode is not supported")
	}
	return perform()
}

func TestOneEndpointIsEnough(t *testing.T) {
	driver, _ := elsewhere(t)
	p := program(t, "", "spec", "--endpoint", strings.TrimPrefix(driver.Controller, "unix://"), "--focus", "identity_|node_id_|size_omitted")
	if p.exit != report.ExitPassed {
		t.Errorf("exit status %d, want 0:\n%s%s", p.exit, p.out, p.errOut)
	}
	if want := "with a --node-endpoint, up to "; !strings.Contains(p.out, want) {
		t.Errorf("want a sentence with %q in:\n%s", want, p.out)
	}
}

func TestCSISanityIsSkippedAloud(t *testing.T) {
	t.Parallel()
	driver, flags := elsewhere(t)
	slow := append([]string{"--endpoint", between(t, driver.Controller, slowly)}, flags[2:]...)
	others := func(by suite.DecidedBy) map[string]suite.DecidedBy {
		return map[string]suite.DecidedBy{"sanity_2_076": by, "sanity_3_076": by, "sanity_4_076": by}
	}
	for _, c := range []struct {
		name string
		args []string
		want map[string]suite.DecidedBy // of cases that are skipped
		out  string
	}{
		{
			"without a node endpoint", []string{"--endpoint", driver.Controller, "--focus", "^identity_name$|^csi-sanity"},
			map[string]suite.DecidedBy{"sanity": suite.ByEnvironment}, "no node endpoint was given, and csi-sanity needs one",
		},
		{
			"in the first segment", append([]string{"--csi-sanity", "first", "--focus", "GetPluginInfo should return"}, flags...),
			others(suite.ByFilter), "",
		},
		{
			"of a slow driver", append([]string{"--focus", "GetPluginInfo should return"}, slow...),
			others(suite.ByEnvironment), "s to create a volume, so csi-sanity runs in the first segment only, unless --csi-sanity is all",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := program(t, "", append([]string{"spec"}, c.args...)...)
			if p.exit != report.ExitPassed || !strings.Contains(p.out, c.out) {
				t.Errorf("exit status %d, want 0 and %q:\n%s%s", p.exit, c.out, p.out, p.errOut)
			}
			skipped := map[string]suite.DecidedBy{}
			for _, result := range p.report(t).Cases {
				if result.Verdict == suite.Skipped && result.Reason != "not among the requested cases" {
					skipped[result.ID] = result.DecidedBy
				}
				if result.Verdict == suite.Passed && result.Calls == nil {
					t.Errorf("case %s has no calls", result.ID)
				}
			}
			if diff := cmp.Diff(c.want, skipped); diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAWaiverOfOneCase(t *testing.T) {
	_, flags := elsewhere(t)
	sound := "volumes: [{accessibleFrom: 1}]\n"
	t.Run("that is no longer needed is reported", func(t *testing.T) {
		file := written(t, sound+"waivers: [{case: size_omitted, reason: The storage has one size.}]\n")
		p := program(t, "", append([]string{"spec", "--profile", file, "--focus", "size_omitted|identity_name"}, flags...)...)
		if r := p.report(t); r.Summary.Pass != 2 || !r.Waivers[0].NotNeeded || p.exit != report.ExitPassed || !strings.Contains(p.out, "no longer needed") {
			t.Errorf("want both cases to pass, and the waiver reported, got exit status %d, %+v and\n%s", p.exit, r.Waivers, p.out)
		}
	})
	t.Run("is an expected failure", func(t *testing.T) {
		file := written(t, sound+"waivers: [{requirement: CV-10, reason: The storage has one size.}]\n")
		wrong := slices.Clone(flags)
		wrong[1] = between(t, wrong[1], func(_ context.Context, request proto.Message, perform func() (proto.Message, error)) (proto.Message, error) {
			if r, creates := request.(*csi.CreateVolumeRequest); creates && r.GetCapacityRange() == nil {
				return nil, status.Error(codes.OutOfRange, "a size is wanted")
			}
			return perform()
		})
		p := program(t, "", append([]string{"spec", "--profile", file, "--focus", "^size_omitted$"}, wrong...)...)
		r := p.report(t)
		c := r.Cases[slices.IndexFunc(r.Cases, func(c report.Case) bool { return c.ID == "size_omitted" })]
		if c.DecidedBy != suite.ByWaiver || c.Reason != "CV-10: The storage has one size." || c.Calls == nil || r.Summary.Waived != 1 {
			t.Errorf("got %+v, want it run and waived", c)
		}
	})
	t.Run("that does not exist is refused", func(t *testing.T) {
		file := written(t, sound+"waivers: [{case: no_such_case, reason: None.}]\n")
		for _, args := range [][]string{append([]string{"spec", "--profile", file}, flags...), {"profile", "check", file}} {
			p := program(t, "", args...)
			if want := `profile.yaml:4:18: the profile waives the case "no_such_case", which does not exist`; p.exit != report.ExitError || !strings.Contains(p.errOut, want) {
				t.Errorf("%s: exit status %d and %q, want 2 and %q", args[0], p.exit, p.errOut, want)
			}
		}
	})
}

// TestADriverThatIsReadyLater checks that a run waits for a driver that is still starting, before it asks the nodes for
// their ids.
func TestADriverThatIsReadyLater(t *testing.T) {
	const probes = 3
	_, flags := elsewhere(t)
	for _, i := range []int{1, 3} { // the controller, and the first node
		var probed atomic.Int64
		flags[i] = between(t, flags[i], func(_ context.Context, request proto.Message, perform func() (proto.Message, error)) (proto.Message, error) {
			switch request.(type) {
			case *csi.ProbeRequest:
				if probed.Add(1) < probes {
					return &csi.ProbeResponse{Ready: wrapperspb.Bool(false)}, nil
				}
			case *csi.NodeGetInfoRequest, *csi.ControllerGetCapabilitiesRequest:
				if probed.Load() < probes {
					return nil, status.Error(codes.Internal, "still starting")
				}
			}
			return perform()
		})
	}
	p := program(t, "", append([]string{"spec", "--focus", "^identity_ready$"}, flags...)...)
	if p.exit != report.ExitPassed {
		t.Errorf("exit status %d, want 0:\n%s%s", p.exit, p.out, p.errOut)
	}
}
