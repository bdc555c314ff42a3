// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"fmt"

	"google.golang.org/grpc/mem"
)

// frame is a message in its wire format.
type frame struct{ data []byte }

// rawCodec passes frames through. It has protobuf's name, so that the driver sees the caller's content type.
type rawCodec struct{}

// Name implements encoding.CodecV2.
func (rawCodec) Name() string { return "proto" }

// Marshal implements encoding.CodecV2.
func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	f, ok := v.(*frame)
	if !ok {
		return nil, fmt.Errorf("sending a %T: the proxy sends frames only", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(f.data)}, nil
}

// Unmarshal implements encoding.CodecV2.
func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	f, ok := v.(*frame)
	if !ok {
		return fmt.Errorf("reading a %T: the proxy reads frames only", v)
	}
	f.data = data.Materialize() // gRPC reuses its buffers
	return nil
}
