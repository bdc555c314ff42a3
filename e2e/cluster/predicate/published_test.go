// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// published returns a call with this request, in addition to a volume and a path.
func published(rest string) trace.Call {
	return trace.Call{Method: "/csi.v1.Node/NodePublishVolume", Code: codeOK, Request: fmt.Appendf(nil,
		`{"volume_id":"v","target_path":"/var/lib/kubelet/pods/uid/volumes/kubernetes.io~csi/told/mount"%s}`, rest)}
}

func calls(of ...trace.Call) []trace.Call { return of }

func TestAt(t *testing.T) {
	call := published("")
	for _, test := range []struct {
		pod, volume string
		want        bool
	}{{"uid", "told", true}, {"other", "told", false}, {"uid", "untold", false}, {"ui", "told", false}} {
		if got := At(call, test.pod, test.volume); got != test.want {
			t.Errorf("volume %s of pod %s: got %v, want %v", test.volume, test.pod, got, test.want)
		}
	}
}

func TestContext(t *testing.T) {
	info := PodInfo("ns", "pod", "uid", "default", true, map[string]string{"flavour": "plain"})
	const all = `"csi.storage.k8s.io/pod.namespace":"ns","csi.storage.k8s.io/pod.uid":"uid","csi.storage.k8s.io/serviceAccount.name":"default","csi.storage.k8s.io/ephemeral":"true","flavour":"plain"`
	const name = `,"csi.storage.k8s.io/pod.name":"pod"`
	context := func(entries string) trace.Call { return published(`,"volume_context":{` + entries + `}`) }
	wantVerdict(t, Context(nil, info), notYet)
	wantVerdict(t, Context(calls(context(all+name)), info), satisfied)
	wantVerdict(t, Context(calls(context(all+name+`,"csi.storage.k8s.io/serviceAccount.tokens":"{}"`)), info), satisfied)
	wantVerdict(t, Context(calls(context(all)), info), forGood, "pod.name")
	wantVerdict(t, Context(calls(context(all+`,"csi.storage.k8s.io/pod.name":"another"`)), info), forGood, "another")
	wantVerdict(t, Context(calls(context(all+name), context(all)), info), forGood)
	wantVerdict(t, Context(calls(context(all+name)), nil), forGood, "none")
	wantVerdict(t, Context(calls(published("")), nil), satisfied)
}

func TestTokens(t *testing.T) {
	const token = `{\"token\":\"masked\",\"expirationTimestamp\":\"soon\"}`
	tokens := func(text string) trace.Call {
		return published(`,"volume_context":{"csi.storage.k8s.io/serviceAccount.tokens":"` + text + `"}`)
	}
	wantVerdict(t, Tokens(nil), notYet)
	wantVerdict(t, Tokens(calls(published(""))), satisfied)
	wantVerdict(t, Tokens(calls(published("")), ""), forGood)
	wantVerdict(t, Tokens(calls(tokens(`{\"\":`+token+`,\"a\":`+token+`}`)), "a", ""), satisfied)
	wantVerdict(t, Tokens(calls(tokens(`{\"\":`+token+`}`)), "a", ""), forGood)
	wantVerdict(t, Tokens(calls(tokens(`{\"\":`+token+`}`))), forGood)
	wantVerdict(t, Tokens(calls(tokens(`{\"\":{\"token\":\"masked\"}}`)), ""), forGood, "expirationTimestamp")
	wantVerdict(t, Tokens(calls(tokens(`{\"\":{\"expirationTimestamp\":\"soon\"}}`)), ""), forGood, "token: false")
	wantVerdict(t, Tokens(calls(tokens(`masked`)), ""), forGood)

	const secrets = `,"secrets":{"csi.storage.k8s.io/serviceAccount.tokens":"masked"}`
	wantVerdict(t, TokensInSecrets(nil, false), notYet)
	wantVerdict(t, TokensInSecrets(calls(published(secrets)), true), satisfied)
	wantVerdict(t, TokensInSecrets(calls(published(secrets)), false), forGood)
	wantVerdict(t, TokensInSecrets(calls(published("")), true), forGood)
	wantVerdict(t, TokensInSecrets(calls(published("")), false), satisfied)
}

func TestMountGroup(t *testing.T) {
	grouped := published(`,"volume_capability":{"mount":{"volume_mount_group":"42"}}`)
	wantVerdict(t, MountGroup(nil, ""), notYet)
	wantVerdict(t, MountGroup(calls(grouped), "42"), satisfied)
	wantVerdict(t, MountGroup(calls(grouped), ""), forGood)
	wantVerdict(t, MountGroup(calls(published("")), "42"), forGood)
	wantVerdict(t, MountGroup(calls(published("")), ""), satisfied)
}

func TestBelongsTo(t *testing.T) {
	wantVerdict(t, BelongsTo("pod", "data", 42, 42), satisfied)
	wantVerdict(t, BelongsTo("pod", "data", 0, 42), differs, "42")
}

func TestPublishedAgain(t *testing.T) {
	elsewhere, another := published(""), published("")
	elsewhere.Request = []byte(`{"volume_id":"v","target_path":"/elsewhere"}`)
	another.Request = []byte(`{"volume_id":"w","target_path":"/var/lib/kubelet/pods/uid/volumes/kubernetes.io~csi/told/mount"}`)
	wantVerdict(t, PublishedAgain(nil, 1), differs)
	wantVerdict(t, PublishedAgain(calls(published("")), 2), differs)
	wantVerdict(t, PublishedAgain(calls(published(""), published("")), 2), satisfied)
	wantVerdict(t, PublishedAgain(calls(published(""), elsewhere), 2), forGood)
	wantVerdict(t, PublishedAgain(calls(published(""), another), 2), forGood)
	wantVerdict(t, PublishedOnce(calls(published(""))), satisfied)
	wantVerdict(t, PublishedOnce(nil), forGood)
	wantVerdict(t, PublishedOnce(calls(published(""), published(""))), forGood)
}

func TestTakenDown(t *testing.T) {
	failed, elsewhere := published(""), published("")
	failed.Code = "INTERNAL"
	elsewhere.Request = []byte(`{"volume_id":"v","target_path":"/elsewhere"}`)
	wantVerdict(t, TakenDown(nil, nil), notYet)
	wantVerdict(t, TakenDown(calls(published("")), calls(failed, published(""))), satisfied)
	wantVerdict(t, TakenDown(calls(published("")), nil), differs)
	wantVerdict(t, TakenDown(calls(published("")), calls(failed)), differs)
	wantVerdict(t, TakenDown(calls(published(""), elsewhere), calls(published(""))), differs)
}
