// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// broken starts a driver whose controller is wrong about some calls, and returns the flags that name it. wrong may
// change an answer, or return an error instead of it.
func broken(t *testing.T, wrong func(request, response proto.Message, err error) error) []string {
	t.Helper()
	driver, flags := elsewhere(t)
	flags[1] = between(t, driver.Controller, func(_ context.Context, request proto.Message, perform func() (proto.Message, error)) (proto.Message, error) {
		response, err := perform()
		return response, wrong(request, response, err)
	})
	return flags
}

// deletesOnce refuses to delete a volume that does not exist, and puts every volume into one zone.
func deletesOnce() func(request, response proto.Message, err error) error {
	var mutex sync.Mutex
	known := map[string]bool{}
	return func(request, response proto.Message, err error) error {
		mutex.Lock()
		defer mutex.Unlock()
		switch r := response.(type) {
		case *csi.CreateVolumeResponse:
			known[r.GetVolume().GetVolumeId()] = true
			if r.GetVolume() != nil && len(r.Volume.AccessibleTopology) > 0 {
				r.Volume.AccessibleTopology[0].Segments["topology.hostpath.topo.csi/zone"] = "Z2"
			}
		case *csi.DeleteVolumeResponse:
			id := request.(*csi.DeleteVolumeRequest).GetVolumeId()
			if id != "" && !known[id] {
				return status.Error(codes.NotFound, "no such volume")
			}
			delete(known, id)
		}
		return err
	}
}

func TestFailuresOfABrokenDriver(t *testing.T) {
	t.Parallel()
	args := []string{"spec", "--seed", "1", "--focus", "^sanity_[12]_", "--focus", "^T-(EQ|BAD)", "--focus", "^delete"}
	p := program(t, "", append(args, broken(t, deletesOnce())...)...)
	if p.exit != report.ExitFailed {
		t.Errorf("exit status: want 1, got %d: %s", p.exit, p.errOut)
	}
	r := p.report(t)
	if fails := strings.Count(p.out, "\nFAIL "); fails == 0 || fails >= r.Summary.Fail {
		t.Errorf("%d paragraphs for %d failures, want fewer, as several have one cause", fails, r.Summary.Fail)
	}
	if !strings.Contains(p.out, "the same answer in ") {
		t.Errorf("want the ids of cases that found the same, got:\n%s", p.out)
	}
	texts := map[string]string{"the terminal": p.out}
	for _, c := range r.Cases {
		texts[c.ID] = c.Message
	}
	builders := regexp.MustCompile(`0x[0-9a-f]+|<\*?\w+\.\w+|rpc error|/pkg/mod/|9223372036854775807|%!|[^.]/\S*/e2e/\S*\.go`)
	for where, text := range texts {
		if found := builders.FindString(text); found != "" {
			t.Errorf("%s: %q means nothing to a vendor:\n%s", where, found, text)
		}
	}
}
