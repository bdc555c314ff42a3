// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"strings"

	"google.golang.org/grpc"
)

// OneSocket serves all services: the Node service of the node, and the other services of the controller.
type OneSocket struct {
	grpc.ClientConnInterface
	Node grpc.ClientConnInterface
}

// Invoke makes a call of the Node service at the node, and any other call at the controller.
func (s OneSocket) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	if strings.HasPrefix(method, "/csi.v1.Node/") {
		return s.Node.Invoke(ctx, method, request, response, opts...)
	}
	return s.ClientConnInterface.Invoke(ctx, method, request, response, opts...)
}
