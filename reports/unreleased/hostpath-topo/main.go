// SPDX-License-Identifier: Apache-2.0

// Command hostpath-topo stands in for an API server: it serves four nodes in four zones, which is all that the driver asks for.
package main

import (
	"fmt"
	"log"
	"net/http"
	"path"
	"strings"
)

// address is the one in the kubeconfig that serve.sh writes.
const address = "127.0.0.1:9098"

func main() {
	nodes := map[string]string{}
	for _, zone := range []string{"a", "b", "c", "d"} {
		name := "node-" + zone
		nodes[name] = fmt.Sprintf(`{"kind": "Node", "apiVersion": "v1", "metadata": {"name": %q, "resourceVersion": "1", `+
			`"labels": {"topology.kubernetes.io/region": "r", "topology.kubernetes.io/zone": %q}}}`, name, zone)
	}
	all := make([]string, 0, len(nodes))
	for _, node := range nodes {
		all = append(all, node)
	}
	list := `{"kind": "NodeList", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "items": [` + strings.Join(all, ", ") + `]}`

	answer := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		node, known := nodes[path.Base(r.URL.Path)]
		switch {
		case r.URL.Query().Has("sendInitialEvents"): // it cannot stream the list: clients ask for it as a whole then
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Invalid", "code": 422}`)
		case r.URL.Query().Has("watch"):
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done() // nodes neither come nor go
		case known:
			fmt.Fprint(w, node)
		default:
			fmt.Fprint(w, list)
		}
	}
	log.Fatal(http.ListenAndServe(address, http.HandlerFunc(answer))) //nolint:gosec // on this machine only, for one run
}
