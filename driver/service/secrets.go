// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// RequireSecrets returns an interceptor that answers UNAUTHENTICATED to a call
// that does not carry the secrets required of it (CSI spec, Error Scheme). required
// is asked on each call, by the name of the RPC such as "CreateVolume", for the
// keys and the values they must have; none lets any call pass. The answer names
// keys and never a value.
func RequireSecrets(required func(rpc string) map[string]string) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		rpc := path.Base(info.FullMethod)
		carried := map[string]string{}
		if r, ok := request.(interface{ GetSecrets() map[string]string }); ok {
			carried = r.GetSecrets()
		}
		if problems := compareSecrets(required(rpc), carried); len(problems) > 0 {
			return nil, status.Errorf(codes.Unauthenticated, "%s needs other secrets than the call carries: %s", rpc, strings.Join(problems, ", "))
		}
		return handle(ctx, request)
	}
}

// compareSecrets returns what is wrong with secrets. How long it takes tells nothing of a value.
func compareSecrets(required, carried map[string]string) []string {
	var problems []string
	for _, key := range slices.Sorted(maps.Keys(required)) {
		value, found := carried[key]
		// Of their hashes, because the comparison does tell lengths.
		want, got := sha256.Sum256([]byte(required[key])), sha256.Sum256([]byte(value))
		switch same := subtle.ConstantTimeCompare(want[:], got[:]) == 1; {
		case !found:
			problems = append(problems, fmt.Sprintf("%q is missing", key))
		case !same:
			problems = append(problems, fmt.Sprintf("%q has the wrong value", key))
		}
	}
	return problems
}

// withholdSecrets is an interceptor that keeps secrets from the services. They
// have no use for them, and what they do not have they cannot log.
func withholdSecrets(ctx context.Context, request any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	message, ok := request.(proto.Message)
	if !ok {
		return handle(ctx, request)
	}
	given := message.ProtoReflect()
	// A copy, because whoever called may yet log that there were secrets.
	withheld := given.New()
	given.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		if !isSecret(field) {
			withheld.Set(field, value)
		}
		return true
	})
	return handle(ctx, withheld.Interface())
}

func isSecret(field protoreflect.FieldDescriptor) bool {
	secret, ok := proto.GetExtension(field.Options(), csi.E_CsiSecret).(bool)
	return ok && secret
}
