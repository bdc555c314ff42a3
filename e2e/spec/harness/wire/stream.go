// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// Produce answers a request with the messages of a stream, and returns how the stream ended: nil is its regular end.
// There may be messages before an error.
type Produce func(ctx context.Context, request proto.Message) ([]proto.Message, error)

// Collect makes a call that is answered by a stream, and returns its messages once it has ended.
func Collect(ctx context.Context, conn grpc.ClientConnInterface, method string, request proto.Message, opts ...grpc.CallOption) ([]proto.Message, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	form, err := outputOf(method)
	if err != nil {
		return nil, err
	}
	stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, method, opts...)
	if err != nil {
		return nil, err
	}
	// Receiving reports the stream's error.
	if err := errors.Join(stream.SendMsg(request), stream.CloseSend()); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var messages []proto.Message
	for {
		part := form.New().Interface()
		switch err := stream.RecvMsg(part); {
		case errors.Is(err, io.EOF):
			return messages, nil
		case err != nil:
			return messages, err
		}
		messages = append(messages, part)
	}
}

// outputOf returns the type of the messages that answer the method.
func outputOf(method string) (protoreflect.MessageType, error) {
	name := protoreflect.FullName(strings.ReplaceAll(strings.TrimPrefix(method, "/"), "/", "."))
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	described, isMethod := found.(protoreflect.MethodDescriptor)
	if !isMethod {
		return nil, fmt.Errorf("%s is not a call", method)
	}
	return protoregistry.GlobalTypes.FindMessageByName(described.Output().FullName())
}

// Merged returns the messages of a stream as one, for people; nil if there are none.
func Merged(messages []proto.Message) proto.Message {
	if len(messages) == 0 {
		return nil
	}
	all := messages[0].ProtoReflect().New().Interface()
	for _, part := range messages {
		proto.Merge(all, part)
	}
	return all
}

// Stream returns the stream of a call that is made when its first message is received.
func Stream(ctx context.Context, produce Produce) grpc.ClientStream {
	return &stream{ctx: ctx, produce: produce}
}

type stream struct {
	ctx      context.Context
	produce  Produce
	request  proto.Message
	begun    bool
	messages []proto.Message
	err      error
}

func (s *stream) SendMsg(request any) error {
	s.request = request.(proto.Message)
	return nil
}

func (s *stream) RecvMsg(into any) error {
	if !s.begun {
		s.begun = true
		s.messages, s.err = s.produce(s.ctx, s.request)
	}
	if len(s.messages) > 0 {
		proto.Merge(into.(proto.Message), s.messages[0])
		s.messages = s.messages[1:]
		return nil
	}
	if s.err != nil {
		return s.err
	}
	return io.EOF
}

func (s *stream) CloseSend() error             { return nil }
func (s *stream) Context() context.Context     { return s.ctx }
func (s *stream) Header() (metadata.MD, error) { return nil, nil }
func (s *stream) Trailer() metadata.MD         { return nil }
