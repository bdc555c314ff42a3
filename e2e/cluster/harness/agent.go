// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"cmp"
	"fmt"
	"net/http"
	"runtime"

	"k8s.io/client-go/rest"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TellApart adds the id of the case that calls the API server to the User-Agent, as Kubernetes' own e2e tests do:
//
//	csi-topo/v0.2.0 (linux/amd64) -- life_of_a_volume
//
// An audit log can thus be split into the requests of each case. The User-Agent of calls outside of cases has no id.
func TellApart(config *rest.Config) {
	version, _ := suite.Version()
	config.UserAgent = fmt.Sprintf("csi-topo/%s (%s/%s)", cmp.Or(version, "unknown"), runtime.GOOS, runtime.GOARCH)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &agent{next} })
}

// agent adds the case to the User-Agent of a request with the case's context.
type agent struct{ next http.RoundTripper }

// RoundTrip sends the request.
func (a *agent) RoundTrip(request *http.Request) (*http.Response, error) {
	if id := suite.CaseOf(request.Context()); id != "" {
		request = request.Clone(request.Context())
		request.Header.Set("User-Agent", request.UserAgent()+" -- "+id)
	}
	return a.next.RoundTrip(request)
}
