// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"crypto/subtle"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// RequireSecrets returns an interceptor that returns UNAUTHENTICATED to a call that does not carry the secrets required
// of it (CSI spec, Error Scheme). required is called for each call, with the name of the RPC such as "CreateVolume", and
// returns the keys and the values they must have; if it returns none, any call passes. The answer names keys and never a
// value.
func RequireSecrets(required func(rpc string) map[string]string) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		if err := checkSecrets(info.FullMethod, request, required); err != nil {
			return nil, err
		}
		return handle(ctx, request)
	}
}

func checkSecrets(method string, request any, required func(rpc string) map[string]string) error {
	rpc := path.Base(method)
	carried := map[string]string{}
	if r, ok := request.(interface{ GetSecrets() map[string]string }); ok {
		carried = r.GetSecrets()
	}
	if problems := compareSecrets(required(rpc), carried); len(problems) > 0 {
		return status.Errorf(codes.Unauthenticated, "%s needs other secrets than the call carries: %s", rpc, strings.Join(problems, ", "))
	}
	return nil
}

// compareSecrets returns the problems of the carried secrets. Its duration reveals only the length of a value.
func compareSecrets(required, carried map[string]string) []string {
	var problems []string
	for _, key := range slices.Sorted(maps.Keys(required)) {
		value, found := carried[key]
		switch same := subtle.ConstantTimeCompare([]byte(required[key]), []byte(value)) == 1; {
		case !found:
			problems = append(problems, fmt.Sprintf("%q is missing", key))
		case !same:
			problems = append(problems, fmt.Sprintf("%q has the wrong value", key))
		}
	}
	return problems
}
