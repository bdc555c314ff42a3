// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestCallsTellWhichCaseMakesThem(t *testing.T) {
	var agents []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agents = append(agents, r.UserAgent())
		http.NotFound(w, r)
	}))
	defer server.Close()
	config := &rest.Config{Host: server.URL}
	TellApart(config)
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, ctx := range []context.Context{
		t.Context(), suite.With(t.Context(), &suite.Outcome{Case: "wffc_each_zone_1"}), suite.With(t.Context(), &suite.Outcome{Case: "life_of_a_volume"}),
	} {
		_, _ = kube.CoreV1().Nodes().Get(ctx, "n", metav1.GetOptions{}) // it does not exist
	}
	ends := []string{"", " -- wffc_each_zone_1", " -- life_of_a_volume"}
	if !slices.EqualFunc(agents, ends, func(agent, end string) bool {
		return strings.HasPrefix(agent, "csi-topo/") && strings.HasSuffix(agent, ")"+end)
	}) {
		t.Errorf("User-Agents %q, want csi-topo's, that end in %q", agents, ends)
	}
}
