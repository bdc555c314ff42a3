// SPDX-License-Identifier: Apache-2.0

package secrets_test

import (
	"os"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/secrets"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, secrets.Areas, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers(), spectest.Skips(all(), verdict.ByProfile))
}

// TestSkipsHaveOneReason shows that a summary has one line for all of them.
func TestSkipsHaveOneReason(t *testing.T) {
	reasons := map[string]int{}
	for _, c := range spectest.Run(t, spectest.Reference).Cases {
		reasons[c.Reason]++
	}
	if len(reasons) != 1 {
		t.Errorf("cases without secrets are skipped for these reasons, want one for all of them: %v", reasons)
	}
}

// all are the ids of the cases.
func all() string {
	var ids []string
	for _, area := range secrets.Areas() {
		for _, c := range area.Cases {
			ids = append(ids, c.ID)
		}
	}
	return strings.Join(ids, " ")
}

func drivers() map[string]spectest.Expectation {
	with := func(fault spectest.Fault, cases ...spectest.Case) spectest.Expectation {
		return spectest.Expectation{Driver: spectest.Driver{Fault: fault, Target: withSecrets}, Cases: cases}
	}
	return map[string]spectest.Expectation{
		"has no use for secrets":           with(spectest.Fault{}, spectest.Warns(all(), "GEN-18")),
		"UNAUTHENTICATED":                  with(answering(codes.Unauthenticated, "the password is wrong"), spectest.Passes(all())),
		"PERMISSION_DENIED":                with(answering(codes.PermissionDenied, "the user may not do this"), spectest.Passes(all())),
		"INTERNAL for wrong secrets":       with(answering(codes.Internal, "login failed"), spectest.Warns(all(), "GEN-17 GEN-18")),
		"says nothing about wrong secrets": with(answering(codes.Unauthenticated, ""), spectest.Fails(all(), "GEN-15")),
	}
}

// answering makes a driver that refuses calls with wrong secrets.
func answering(code codes.Code, message string) spectest.Fault {
	return spectest.Refusing(func(request proto.Message) error {
		if r, has := request.(interface{ GetSecrets() map[string]string }); has && strings.HasSuffix(r.GetSecrets()["password"], "wrong") {
			return status.Error(code, message)
		}
		return nil
	})
}

func withSecrets(t *harness.Target) {
	login := map[string]string{"password": "right"}
	t.Profile.Secrets = profile.Secrets{
		CreateVolume: login, DeleteVolume: login, ControllerPublishVolume: login, ControllerUnpublishVolume: login,
		ValidateVolume: login, ControllerExpandVolume: login, ControllerModifyVolume: login, CreateSnapshot: login,
		DeleteSnapshot: login, ListSnapshots: login, NodeStageVolume: login, NodePublishVolume: login, NodeExpandVolume: login,
	}
}
