// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"time"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// concealClasses redirects the cluster's kubeconfig to an API server that reports every StorageClass as it was requested,
// even if it was changed, until reveal. Cases give no verdict on a class that they see changed.
func (o *options) concealClasses(ctx context.Context) (reveal func() error, err error) {
	file, err := o.kubeconfig()
	if err != nil {
		return nil, err
	}
	original, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the cluster's kubeconfig: %w", err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", file)
	if err != nil {
		return nil, fmt.Errorf("reading the cluster's kubeconfig: %w", err)
	}
	handler, err := concealing(config)
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening in front of the API server: %w", err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	reveal = func() error {
		err := os.WriteFile(file, original, 0o600)
		err = errors.Join(err, server.Close())
		if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return err
	}
	led := bytes.ReplaceAll(original, []byte(config.Host), []byte("http://"+listener.Addr().String()))
	if err := os.WriteFile(file, led, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("changing the cluster's kubeconfig: %w", err), reveal())
	}
	return reveal, nil
}

// concealing returns a proxy for the API server of the configuration.
func concealing(config *rest.Config) (http.Handler, error) {
	target, err := url.Parse(config.Host)
	if err != nil {
		return nil, fmt.Errorf("reading the address of the API server: %w", err)
	}
	// Commands in pods upgrade connections, which HTTP/2 does not support.
	config.TLSClientConfig.NextProtos = []string{"http/1.1"}
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, fmt.Errorf("preparing to forward to the API server: %w", err)
	}
	return &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     saysAsAsked{transport},
		FlushInterval: -1, // a watch is answered as events arrive
	}, nil
}

// saysAsAsked answers the creation or update of a StorageClass with the requested class.
type saysAsAsked struct{ http.RoundTripper }

func (s saysAsAsked) RoundTrip(request *http.Request) (*http.Response, error) {
	writes := request.Method == http.MethodPost || request.Method == http.MethodPut
	if !writes || !strings.HasPrefix(request.URL.Path, "/apis/storage.k8s.io/v1/storageclasses") {
		return s.RoundTripper.RoundTrip(request)
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	request.Header.Set("Accept", runtime.ContentTypeJSON)
	response, err := s.RoundTripper.RoundTrip(request)
	if err != nil || response.StatusCode >= http.StatusBadRequest {
		return response, err
	}
	defer response.Body.Close()
	answered, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	told, err := asAsked(body, answered)
	if err != nil {
		return nil, err
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(told)), int64(len(told))
	response.Header.Set("Content-Length", fmt.Sprint(len(told)))
	return response, nil
}

// asAsked returns the requested class, with the metadata of the created one.
func asAsked(asked, made []byte) ([]byte, error) {
	var class, answer storagev1.StorageClass
	decoder := scheme.Codecs.UniversalDeserializer()
	for _, one := range []struct {
		encoded []byte
		into    *storagev1.StorageClass
	}{{asked, &class}, {made, &answer}} {
		if _, _, err := decoder.Decode(one.encoded, nil, one.into); err != nil {
			return nil, fmt.Errorf("reading a StorageClass: %w", err)
		}
	}
	class.ObjectMeta = answer.ObjectMeta
	encoder := scheme.Codecs.LegacyCodec(storagev1.SchemeGroupVersion)
	return runtime.Encode(encoder, &class)
}
