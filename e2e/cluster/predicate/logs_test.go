// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestHidesSecrets(t *testing.T) {
	const value = "secret-stage-of-csi-topo-case-x7k2p"
	secrets := map[string]string{"node-stage": value, "node-publish": "secret-publish-of-csi-topo-case-x7k2p"}
	encode := func(before, after string) string {
		return base64.StdEncoding.EncodeToString([]byte(before + value + after))
	}
	for _, test := range []struct {
		name, line string
		want       string
		says       []string
	}{
		{"nothing", "", satisfied, nil},
		{"another call", `NodeStageVolume {"secrets":"***stripped***"}`, satisfied, nil},
		{"the name of a secret", "reading secret csi-topo-case-x7k2p/stage", satisfied, nil},
		{"as it is", `called /csi.v1.Node/NodeStageVolume secrets:map[token:` + value + `]`, forGood, []string{"node-stage in 1", "names NodeStageVolume", "token:***stripped***"}},
		{"in quotes", fmt.Sprintf("request=%q", `{"token":"`+value+`"}`), forGood, []string{"node-stage in 1", "names no call"}},
		{"in a call whose name has another's", "ControllerPublishVolume " + value, forGood, []string{"names ControllerPublishVolume"}},
		{"in base64", "token: " + encode("", ""), forGood, []string{"node-stage"}},
		{"in base64 after one byte", encode("a", "z"), forGood, []string{"node-stage"}},
		{"in base64 after two bytes", encode("ab", "yz"), forGood, []string{"node-stage"}},
		{"in base64 in a longer text", encode(`{"secrets":{"token":"`, `"}}`), forGood, []string{"node-stage"}},
		{"in base64 for URLs", base64.URLEncoding.EncodeToString([]byte("??>" + value)), forGood, []string{"node-stage"}},
		{"in a long line", "NodeStageVolume " + strings.Repeat("x", 10000) + value, forGood, []string{"…xxx", "xxx***stripped***"}},
		{"before much else", value + strings.Repeat("y", 10000), forGood, []string{"***stripped***yyy", "yyy…"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			log := Log{Of: "container driver of pod driver/node-1", Text: "started\n" + test.line + "\nended\n"}
			err := log.HidesSecrets(secrets)
			wantVerdict(t, err, test.want, test.says...)
			if err == nil {
				return
			}
			wantVerdict(t, err, test.want, "container driver of pod driver/node-1")
			for _, form := range append(inBase64(value), value) {
				if strings.Contains(err.Error(), form) {
					t.Errorf("%v shows the value, as %q", err, form)
				}
			}
		})
	}
}

func TestHidesEachSecret(t *testing.T) {
	log := Log{Text: "a first-secret\nb second-secret\nc second-secret\n"}
	wantVerdict(t, log.HidesSecrets(map[string]string{"one": "first-secret", "two": "second-secret", "three": "third-secret"}), forGood,
		"one in 1", "a ***stripped***", "two in 2", "b ***stripped***")
}

func TestIsSidecar(t *testing.T) {
	for _, test := range []struct {
		name, image string
		want        bool
	}{
		{"csi-provisioner", "example.com/any", true},
		{"provisioner", "registry.k8s.io/sig-storage/csi-provisioner:v6.4.0", true},
		{"attacher", "registry.redhat.io/openshift4/ose-csi-external-attacher-rhel9@sha256:ab", true},
		{"resizer", "public.ecr.aws/csi-components/csi-resizer:v2", true},
		{"snapshotter", "csi-snapshotter", true},
		{"metadata", "registry.example.com/csi-snapshot-metadata:v1", true},
		{"registrar", "registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.15.0", true},
		{"liveness-probe", "any", true},
		{"probe", "registry.k8s.io/sig-storage/livenessprobe:v2.17.0", true},
		{"csi-topo-proxy", "csi-topo-workload", false},
		{"hostpath-topo", "hostpath-topo", false},
		{"ebs-plugin", "public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1", false},
		{"csi-plugin", "example.com/local-provisioner:v1", false},
		{"driver", "example.com/csi-resizers-driver", false},
	} {
		if got := IsSidecar(corev1.Container{Name: test.name, Image: test.image}); got != test.want {
			t.Errorf("%s of %s: got %t, want %t", test.name, test.image, got, test.want)
		}
	}
}

func TestIsOfSuite(t *testing.T) {
	for _, test := range []struct {
		name, image string
		want        bool
	}{
		{"csi-topo-proxy", "registry.example.com/proxies:v1", true},
		{"proxy", "localhost/csi-topo-workload:631b709db33280a8", true},
		{"hostpath-topo", "hostpath-topo", false},
		{"driver", "registry.example.com/csi-topo-workloads-driver", false},
	} {
		if got := IsOfSuite(corev1.Container{Name: test.name, Image: test.image}); got != test.want {
			t.Errorf("%s of %s: got %t, want %t", test.name, test.image, got, test.want)
		}
	}
}
