// SPDX-License-Identifier: Apache-2.0

package client

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
)

// TestResourcesKeepTheirNamespace checks that two Resources list each in its own namespace.
func TestResourcesKeepTheirNamespace(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		answer := `{"kind": "PodList", "apiVersion": "v1"}`
		switch r.URL.Path {
		case "/api":
			answer = `{"kind": "APIVersions", "versions": ["v1"]}`
		case "/apis":
			answer = `{"kind": "APIGroupList", "apiVersion": "v1"}`
		case "/api/v1":
			answer = `{"kind": "APIResourceList", "groupVersion": "v1", "resources": [{"name": "pods", "kind": "Pod", "namespaced": true}]}`
		default:
			asked = append(asked, r.URL.Path)
		}
		_, _ = w.Write([]byte(answer))
	}))
	defer server.Close()
	client, err := New(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	a, b, all := client.Resources("a"), client.Resources("b"), client.Resources()
	for _, resources := range []interface{ GetConfig() *rest.Config }{a, b, all} {
		if resources.GetConfig() != client.RESTConfig() {
			t.Error("it has another configuration")
		}
	}
	for _, err := range []error{a.List(t.Context(), &corev1.PodList{}), b.List(t.Context(), &corev1.PodList{}), all.List(t.Context(), &corev1.PodList{})} {
		if err != nil {
			t.Error(err)
		}
	}
	want := []string{"/api/v1/namespaces/a/pods", "/api/v1/namespaces/b/pods", "/api/v1/pods"}
	if !slices.Equal(asked, want) {
		t.Errorf("asked for %v, want %v", asked, want)
	}
}
