// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// messageLimit is the size in bytes of a status message that always arrives: gRPC clients limit the size of headers, many
// to 8 KiB.
const messageLimit = 2 << 10

// tryCorpus puts every hostile value into every field of every valid request of the world, and checks that the response
// follows the rules, and that the canaries are unchanged.
func tryCorpus(t *testing.T, w *world, only func(rpc) bool) {
	t.Helper()
	all := rules(w.kind)
	used := make([]bool, len(all))
	tried := 0
	for _, r := range rpcs() {
		if !only(r) {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			seen := map[string]bool{}
			for n := range w.validRequests(r) {
				for _, f := range fieldsOf(w.validRequests(r)[n]) {
					if seen[f.name] {
						continue
					}
					seen[f.name] = true
					expected, place := ruleFor(all, r, f)
					if place >= 0 {
						used[place] = true
					}
					tried += w.tryField(t, r, n, f, expected)
				}
			}
		})
	}
	for n, u := range used {
		if !u && slices.ContainsFunc(rpcs(), func(r rpc) bool { return only(r) && r.name == all[n].rpc }) {
			t.Errorf("no field needs the rule for %s.%s: remove it", all[n].rpc, all[n].field)
		}
	}
	t.Logf("%d requests, each with one hostile value", tried)
}

// tryField puts every value into the field of the n-th valid request of the RPC, and returns the number of values.
func (w *world) tryField(t *testing.T, r rpc, n int, f field, expected rule) int {
	t.Helper()
	before := w.tree.fingerprint(t)
	// Many values often get the same wrong response, which is reported once.
	wrong := map[string][]string{}
	tried := 0
	for _, v := range values(w.tree) {
		if v.lethal && strings.HasSuffix(f.path, "_path") || expected.opaque() && !v.wild {
			continue
		}
		tried++
		response, err := w.call(t.Context(), r, f.with(w.validRequests(r)[n], v.text))
		got := status.Convert(err)
		if want := expected.codesFor(f, v); !slices.Contains(want, got.Code()) {
			what := fmt.Sprintf("answered %s, want one of %v", got.Code(), want)
			wrong[what] = append(wrong[what], fmt.Sprintf("%s (%.60q: %.200q)", v.name, v.text, got.Message()))
		}
		if err != nil && !slices.Contains(allowed(r.name), got.Code()) {
			what := fmt.Sprintf("answered %s, which is in none of its tables", got.Code())
			wrong[what] = append(wrong[what], v.name)
		}
		if strings.Contains(got.Message(), secret) {
			wrong["gave a message with a secret"] = append(wrong["gave a message with a secret"], v.name)
		}
		if fault := faultOf(got); fault != "" {
			wrong[fault] = append(wrong[fault], fmt.Sprintf("%s (%.200q)", v.name, got.Message()))
		}
		if said := says(response); expected.void && (expected.legal == nil || !expected.legal(v)) && said != "" {
			wrong["says "+said+", want nothing"] = append(wrong["says "+said+", want nothing"], v.name)
		}
		if err == nil {
			must(t, "bring the world back after "+r.name+" with "+v.name, w.restore(t.Context(), r, response))
		}
	}
	for what, with := range wrong {
		t.Errorf("with %s, %s %s: %d value(s), such as %s", f.name, r.name, what, len(with), with[0])
	}
	wantSame(t, r.name+" with a hostile "+f.name, before, w.tree.fingerprint(t))
	return tried
}

// faultOf returns the fault of a status that is wrong for any call (GEN-09, GEN-15, GEN-16), or "".
func faultOf(s *status.Status) string {
	text := s.Message()
	switch {
	case s.Code() == codes.OK:
		return ""
	case s.Code() == codes.Unknown:
		return "answered UNKNOWN: an error without a code (GEN-09)"
	case text == "":
		return "gave no message (GEN-15)"
	case !utf8.ValidString(text):
		return "gave a message that is not UTF-8"
	case len(text) > messageLimit:
		return fmt.Sprintf("gave a message of more than %d bytes, which some clients refuse", messageLimit)
	case len(s.Proto().GetDetails()) > 0:
		return "gave details, which must be empty (GEN-16)"
	}
	return ""
}
