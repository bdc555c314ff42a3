// SPDX-License-Identifier: Apache-2.0

// Package secrets has drivers that get secrets.
package secrets

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/secrets"
)

// Cases returns the ids of the cases on calls with wrong secrets.
func Cases() string {
	var ids []string
	for _, area := range secrets.Areas() {
		for _, c := range area.Cases {
			if c.ID != inContexts && c.ID != ofOthers && !slices.Contains(strings.Fields(changed), c.ID) {
				ids = append(ids, c.ID)
			}
		}
	}
	return strings.Join(ids, " ")
}

// inContexts is the case about objects that are created with secrets.
const inContexts = "secrets_in_contexts"

// ofOthers is the case on calls that carry the secrets of other calls.
const ofOthers = "secrets_of_other_calls"

// changed are the cases on calls that are repeated with other secrets.
const changed = "secrets_other_create_volume secrets_other_create_snapshot secrets_other_controller_publish_volume secrets_other_node_stage_volume secrets_other_node_publish_volume"

// Drivers returns drivers that have secrets and check them, or do not.
func Drivers() map[string]mutation.Expectation {
	with := func(fault mutation.Fault, cases ...mutation.Case) mutation.Expectation {
		return mutation.Expect(mutation.Driver{Fault: fault, Target: withSecrets}, cases...)
	}
	told := func(fault mutation.Fault, secrets func(*profile.Secrets), cases ...mutation.Case) mutation.Expectation {
		e := with(fault, cases...)
		e.Wide = true
		e.Target = func(t *harness.Target) {
			withSecrets(t)
			secrets(&t.Profile.Secrets)
		}
		return e
	}
	return map[string]mutation.Expectation{
		"refuses the secrets of other calls": told(mutation.RefusingSome(codes.InvalidArgument, "a secret is unknown", func(r *csi.CreateVolumeRequest) bool {
			_, found := r.GetSecrets()["node-token"]
			return found
		}), func(s *profile.Secrets) {
			s.NodeStageVolume = map[string]string{"node-token": "right"}
		}, mutation.Fails(ofOthers, "SEC-05")),
		"needs no secrets of other calls": told(mutation.Fault{}, func(s *profile.Secrets) {
			s.NodeStageVolume = map[string]string{"node-token": "right"}
		}, mutation.Passes(ofOthers)),
		"has two values for one key": told(mutation.Fault{}, func(s *profile.Secrets) {
			s.NodeStageVolume = map[string]string{"password": "another"}
		}, mutation.Warns(ofOthers, "SEC-05")),
		"has a key with a space": told(mutation.Fault{}, func(s *profile.Secrets) {
			s.NodeStageVolume = map[string]string{"node token": "right"}
		}, mutation.Fails(ofOthers, "SEC-01")),
		"compares the secrets of a repetition": mutation.Wrong(comparing(),
			mutation.Fails("secrets_other_create_volume", "CV-02"), mutation.Fails("secrets_other_create_snapshot", "CS-03"),
			mutation.Fails("secrets_other_controller_publish_volume", "CP-05"),
			mutation.Fails("secrets_other_node_stage_volume", "NS-04"),
			mutation.Fails("secrets_other_node_publish_volume", "NS-13")),
		"has no use for secrets":       with(mutation.Fault{}, mutation.Warns(Cases(), "GEN-18"), mutation.Passes(inContexts)),
		"UNAUTHENTICATED":              with(answering(codes.Unauthenticated, "the password is wrong"), mutation.Passes(Cases())),
		"PERMISSION_DENIED":            with(answering(codes.PermissionDenied, "the user may not do this"), mutation.Passes(Cases()+" "+changed)),
		"INTERNAL for wrong secrets":   with(answering(codes.Internal, "login failed"), mutation.Warns(Cases(), "GEN-17 GEN-18")),
		"cannot reach another address": with(unreachable(), mutation.Passes(Cases())),
		"looks at no secrets of what is staged": with(mutation.Again((*csi.NodeStageVolumeRequest).GetStagingTargetPath, mutation.Instead(func(*csi.NodeStageVolumeRequest) *csi.NodeStageVolumeResponse {
			return &csi.NodeStageVolumeResponse{}
		})).Over(answering(codes.Unauthenticated, "the password is wrong")), mutation.Passes(Cases())),
		"says nothing about wrong secrets": with(answering(codes.Unauthenticated, ""), mutation.Fails(Cases(), "GEN-15")),
		"repeats secrets in messages":      with(refusing("password", func(wrong string) error { return status.Errorf(codes.Unauthenticated, "no login with %q", wrong) }), mutation.Warns(Cases(), "GEN-20")),
		"repeats secrets in volume_context": with(mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
			if v.VolumeContext == nil {
				v.VolumeContext = map[string]string{}
			}
			v.VolumeContext[login] = "user:" + r.GetSecrets()["password"]
		}).And(takingLogin()), mutation.Warns(Cases(), "GEN-18"), mutation.Warns(inContexts, "VOL-21")),
		"repeats secrets in publish_context": with(mutation.Answering(func(r *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse) {
			if response.PublishContext == nil {
				response.PublishContext = map[string]string{}
			}
			response.PublishContext[login] = r.GetSecrets()["password"]
		}).And(takingLogin()), mutation.Warns(Cases(), "GEN-18"), mutation.Warns(inContexts, "CP-24")),
	}
}

// own returns the driver's secrets.
func own() map[string]string {
	return map[string]string{"endpoint": "storage:9099", "password": "right"}
}

// refusing makes a driver that refuses calls with a wrong secret at the key.
func refusing(key string, refusal func(wrong string) error) mutation.Fault {
	return mutation.Refusing(func(request proto.Message) error {
		r, has := request.(interface{ GetSecrets() map[string]string })
		if !has {
			return nil
		}
		if secret, given := r.GetSecrets()[key]; given && secret != own()[key] {
			return refusal(secret)
		}
		return nil
	})
}

// answering makes a driver that refuses calls with a wrong password.
func answering(code codes.Code, message string) mutation.Fault {
	return refusing("password", func(string) error { return status.Error(code, message) })
}

// unreachable makes a driver that looks for its storage at the address in the secrets before it uses the password.
func unreachable() mutation.Fault {
	return refusing("endpoint", func(string) error { return status.Error(codes.Internal, "invalid port") }).
		Over(answering(codes.Unauthenticated, "the password is wrong"))
}

func withSecrets(t *harness.Target) {
	login := own()
	t.Profile.Secrets = profile.Secrets{
		CreateVolume: login, DeleteVolume: login, ControllerPublishVolume: login, ControllerUnpublishVolume: login,
		ValidateVolume: login, ControllerExpandVolume: login, ControllerModifyVolume: login, CreateSnapshot: login,
		DeleteSnapshot: login, ListSnapshots: login, GroupSnapshot: login, NodeStageVolume: login, NodePublishVolume: login, NodeExpandVolume: login,
	}
}

// comparing makes a driver that treats the secrets as part of the created object, or of the publication or staging of a
// volume.
func comparing() mutation.Fault {
	type where struct{ method, volume, place string }
	var mu sync.Mutex
	before := map[where]map[string]string{}
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		var place string
		switch r := call.Request.(type) {
		case *csi.CreateVolumeRequest:
			place = r.GetName()
		case *csi.CreateSnapshotRequest:
			place = r.GetName()
		case *csi.ControllerPublishVolumeRequest:
			place = r.GetNodeId()
		case *csi.NodeStageVolumeRequest:
			place = r.GetStagingTargetPath()
		case *csi.NodePublishVolumeRequest:
			place = r.GetTargetPath()
		default:
			return call.Perform(ctx)
		}
		r := call.Request.(interface{ GetSecrets() map[string]string })
		volume := ""
		if of, has := call.Request.(interface{ GetVolumeId() string }); has {
			volume = of.GetVolumeId()
		}
		mu.Lock()
		defer mu.Unlock()
		at := where{call.Method, volume, place}
		if secrets, done := before[at]; done && !maps.Equal(secrets, r.GetSecrets()) {
			return nil, status.Error(codes.AlreadyExists, "the volume is there with other secrets")
		}
		response, err := call.Perform(ctx)
		if err == nil {
			before[at] = r.GetSecrets()
		}
		return response, err
	})
}

// login is the key at which a context has a secret.
const login = "login"

// takingLogin makes a driver that removes the key from calls that pass it on.
func takingLogin() mutation.Fault {
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		request := proto.Clone(call.Request)
		if r, has := request.(interface{ GetVolumeContext() map[string]string }); has {
			delete(r.GetVolumeContext(), login)
		}
		if r, has := request.(interface{ GetPublishContext() map[string]string }); has {
			delete(r.GetPublishContext(), login)
		}
		return call.With(request).Perform(ctx)
	})
}
