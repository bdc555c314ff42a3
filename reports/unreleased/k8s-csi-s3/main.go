// SPDX-License-Identifier: Apache-2.0

// Command k8s-csi-s3 serves an S3 in memory to k8s-csi-s3 and GeeseFS, with one pair of keys.
package main

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"

	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"
)

// These are the address and the keys in profile.yaml.
const (
	address = "127.0.0.1:9099"
	key     = "example-key"
	secret  = "example-secret"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	// A signature that is wrong is answered with 403, as S3 does.
	s3 := gofakes3.New(backend{s3mem.New()}, gofakes3.WithV4Auth(map[string]string{key: secret}))
	server := &http.Server{Handler: s3.Server()}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}

// backend lists everything if the delimiter is empty, as S3 does: the fake takes that for a delimiter that every name has.
type backend struct{ *s3mem.Backend }

func (b backend) ListBucket(ctx context.Context, name string, prefix *gofakes3.Prefix, page gofakes3.ListBucketPage) (*gofakes3.ObjectList, error) {
	if prefix != nil && prefix.Delimiter == "" {
		prefix.HasDelimiter = false
	}
	return b.Backend.ListBucket(ctx, name, prefix, page)
}
