// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

const withSecrets = `driver: hostpath.topo.csi
volumeBytes: 16777216
secrets:
  createVolume: &login {user: ops7, password: 'correct "horse" <1>', verify: "true", tries: "3", key: "-----BEGIN KEY-----\nMIIEabcdef\n-----END KEY-----\n"}
  deleteVolume: *login
  controllerPublishVolume: *login
  controllerUnpublishVolume: *login
  validateVolumeCapabilities: *login
  nodeStageVolume: *login
  nodePublishVolume: *login
`

// repeating returns a driver that puts the secrets of requests into all of its answers: it fails every tenth creation
// and every twentieth deletion, so that something is reported.
func repeating() handler {
	var calls atomic.Int64
	return func(_ context.Context, request proto.Message, perform func() (proto.Message, error)) (proto.Message, error) {
		var said string
		if r, has := request.(interface{ GetSecrets() map[string]string }); has {
			s := r.GetSecrets()
			said = fmt.Sprintf("user=%s, password=%s, secrets %q, key %s", s["user"], s["password"], s, s["key"])
		}
		const every = 10
		switch r := request.(type) {
		case *csi.CreateVolumeRequest, *csi.DeleteVolumeRequest:
			if _, deletes := request.(*csi.DeleteVolumeRequest); calls.Add(1)%every == 0 || deletes && calls.Load()%2 == 0 {
				return nil, status.Error(codes.Internal, said)
			}
		case interface{ GetVolumeContext() map[string]string }:
			clear(r.GetVolumeContext()) // the driver behind does not know it
			if p, has := request.(interface{ GetPublishContext() map[string]string }); has {
				delete(p.GetPublishContext(), "login")
			}
		}
		response, err := perform()
		if err != nil {
			return nil, status.Error(status.Code(err), err.Error()+said)
		}
		switch r := response.(type) {
		case *csi.CreateVolumeResponse:
			r.Volume.VolumeContext = map[string]string{"login": said}
		case *csi.ControllerPublishVolumeResponse:
			if r.PublishContext == nil {
				r.PublishContext = map[string]string{}
			}
			r.PublishContext["login"] = said
		}
		return response, nil
	}
}

// TestNobodyReadsTheSecretsThatADriverRepeats checks that none of a run's output contains the profile's secrets, even if a
// driver repeats them.
func TestNobodyReadsTheSecretsThatADriverRepeats(t *testing.T) {
	driver, flags := elsewhere(t)
	for i, endpoint := range []string{driver.Controller, driver.Nodes[0].Endpoint} {
		flags[2*i+1] = between(t, endpoint, repeating())
	}
	described := filepath.Join(t.TempDir(), "profile.yaml")
	if err := os.WriteFile(described, []byte(withSecrets), 0o600); err != nil {
		t.Fatal(err)
	}
	p := program(t, "", append([]string{"spec", "--profile", described, "--seed", "1", "-v", "--focus", "^sanity_1_", "--focus", "^T-(EQ|BAD)", "--focus", "^delete", "--focus", "^secrets_", "--focus", "^(stage|publish|attach)_"}, flags...)...)
	everything := map[string]string{"what is printed": p.out, "what is printed of errors": p.errOut}
	markdown := program(t, "", "report", "markdown", filepath.Join(p.reportDir, "report.yaml"))
	everything["the report in Markdown"] = markdown.out
	for _, name := range []string{"report.yaml", "junit.xml", "report.html", "calls.jsonl"} {
		data, err := os.ReadFile(filepath.Join(p.reportDir, name))
		if err != nil {
			t.Fatal(err)
		}
		everything[name] = string(data)
	}
	everything["report.html"] = unpacked(t, everything["report.html"])
	for where, text := range everything {
		if where != "what is printed of errors" && where != "junit.xml" && !strings.Contains(text, "***stripped***") {
			t.Errorf("%s has nothing of what the driver repeats:\n%.3000s", where, text)
		}
		for _, secret := range []string{"ops7", "correct", "horse", "BEGIN KEY", "MIIE"} {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s has the secret %q: %q", where, secret, text[max(0, at-100):min(len(text), at+100)])
			}
		}
	}
	if !strings.Contains(everything["calls.jsonl"], `verify\":\"true`) {
		t.Error("want the value \"true\" left as it is in calls.jsonl")
	}
}

// unpacked returns the page with its data uncompressed: compressed text can contain a short secret by chance.
func unpacked(t *testing.T, html string) string {
	t.Helper()
	blocks := regexp.MustCompile(`H4sI[A-Za-z0-9+/=]+`)
	if !blocks.MatchString(html) {
		t.Fatal("the page has no data")
	}
	return blocks.ReplaceAllStringFunc(html, func(block string) string {
		data, err := base64.StdEncoding.DecodeString(block)
		if err != nil {
			t.Fatal(err)
		}
		reader, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	})
}
