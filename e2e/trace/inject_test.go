// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// client returns a client of the proxy's handler, over a socket as in a pod.
func (p *proxied) client(t *testing.T) *Client {
	t.Helper()
	return clientAt(t, Handler(p.proxy.Recorder, p.proxy.Rules))
}

func clientAt(t *testing.T, handler http.Handler) *Client {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "control.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: limit}
	var served sync.WaitGroup
	served.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() { _ = server.Close(); served.Wait() })
	client := NewClient(func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	})
	t.Cleanup(client.Close)
	return client
}

func TestInject(t *testing.T) {
	for name, test := range map[string]struct {
		rule     Rule
		wantCode codes.Code
		// wantZone is the zone in the caller's answer.
		wantZone   string
		wantCalled bool
	}{
		"code instead of the driver's": {
			rule: Rule{Code: "RESOURCE_EXHAUSTED", Message: "full"}, wantCode: codes.ResourceExhausted,
		},
		"answer that is lost": {
			rule: Rule{Code: "DEADLINE_EXCEEDED", Forward: true}, wantCode: codes.DeadlineExceeded, wantCalled: true,
		},
		"wrong topology": {
			rule:     Rule{Patch: []byte(`{"volume":{"accessible_topology":[{"segments":{"zone":"b"}}]}}`)},
			wantZone: "b", wantCalled: true,
		},
		"answer for the driver": {
			rule:     Rule{Answer: []byte(`{"volume":{"accessible_topology":[{"segments":{"zone":"c"}}]}}`)},
			wantZone: "c",
		},
		"request that is changed": {
			rule:     Rule{PatchRequest: []byte(`{"parameters":{"zone":"d"}}`)},
			wantZone: "d", wantCalled: true,
		},
		"call that is delayed": {
			rule: Rule{Delay: Duration(time.Millisecond)}, wantZone: "a", wantCalled: true,
		},
		"answer that is held": {
			rule: Rule{Hold: Duration(time.Millisecond)}, wantZone: "a", wantCalled: true,
		},
		"driver that is busy": {
			rule: Rule{Code: "ABORTED", Otherwise: true}, wantCode: codes.Aborted,
		},
		"request that matches": {
			rule:     Rule{Match: []byte(`{"parameters":{"case":"x"}}`), Code: "ABORTED"},
			wantCode: codes.Aborted,
		},
		"request that does not match": {
			rule:     Rule{Match: []byte(`{"parameters":{"case":"y"}}`), Code: "ABORTED"},
			wantZone: "a", wantCalled: true,
		},
		"other method": {
			rule:     Rule{Method: "DeleteVolume", Code: "ABORTED"},
			wantZone: "a", wantCalled: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var called atomic.Bool
			p := behind(t, &fakeDriver{create: func(_ context.Context, request *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
				called.Store(true)
				return &csi.CreateVolumeResponse{Volume: &csi.Volume{
					AccessibleTopology: []*csi.Topology{{Segments: map[string]string{"zone": cmp.Or(request.GetParameters()["zone"], "a")}}},
				}}, nil
			}})
			test.rule.ID = "r"
			if test.rule.Method == "" {
				test.rule.Method = "CreateVolume"
			}
			client := p.client(t)
			if err := client.AddRule(t.Context(), test.rule); err != nil {
				t.Fatal(err)
			}
			response, err := csi.NewControllerClient(p.conn).CreateVolume(t.Context(), &csi.CreateVolumeRequest{
				Name: "pvc-1", Parameters: map[string]string{"case": "x", "other": "z"},
			})
			if status.Code(err) != test.wantCode || called.Load() != test.wantCalled {
				t.Fatalf("got %v, driver called: %t; wanted %s, %t", err, called.Load(), test.wantCode, test.wantCalled)
			}
			if test.wantZone != "" && response.GetVolume().GetAccessibleTopology()[0].GetSegments()["zone"] != test.wantZone {
				t.Errorf("got %v, wanted zone %s", response, test.wantZone)
			}
			applies := !strings.Contains(name, "not match") && name != "other method"
			use, err := client.RemoveRule(t.Context(), "r")
			if err != nil || (use.Used == 1) != applies {
				t.Errorf("the rule was used %d times, %v", use.Used, err)
			}
			calls := p.recorded(t)
			if len(calls) != 1 || (calls[0].Injected != nil) != (applies && !test.rule.Otherwise) {
				t.Fatalf("recorded %+v", calls)
			}
			if i := calls[0].Injected; i != nil && (i.Rule != "r" || i.Forwarded != test.wantCalled || i.Forwarded != (i.Response != nil)) {
				t.Errorf("recorded injection %+v", i)
			}
		})
	}
}

// TestNoDriver checks that a proxy without a driver answers UNIMPLEMENTED if no rule answers.
func TestNoDriver(t *testing.T) {
	p := behind(t, &fakeDriver{})
	p.proxy.Driver = ""
	if err := p.proxy.Rules.Add(Rule{ID: "r", Method: "GetPluginInfo", Answer: []byte(`{"name":"stand-in"}`)}); err != nil {
		t.Fatal(err)
	}
	info, err := csi.NewIdentityClient(p.conn).GetPluginInfo(t.Context(), &csi.GetPluginInfoRequest{})
	if err != nil || info.GetName() != "stand-in" {
		t.Errorf("got %v, %v", info, err)
	}
	if _, err := csi.NewIdentityClient(p.conn).Probe(t.Context(), &csi.ProbeRequest{}); status.Code(err) != codes.Unimplemented {
		t.Errorf("got %v, wanted UNIMPLEMENTED", err)
	}
}

func TestInjectSoManyTimes(t *testing.T) {
	p := behind(t, &fakeDriver{create: func(context.Context, *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		return &csi.CreateVolumeResponse{}, nil
	}})
	if err := p.proxy.Rules.Add(Rule{ID: "r", Method: "/csi.v1.Controller/CreateVolume", Times: 2, Code: "UNAVAILABLE"}); err != nil {
		t.Fatal(err)
	}
	var refused int
	for range 4 {
		if _, err := csi.NewControllerClient(p.conn).CreateVolume(t.Context(), &csi.CreateVolumeRequest{}); err != nil {
			refused++
		}
	}
	if refused != 2 {
		t.Errorf("%d of 4 calls were refused, wanted 2", refused)
	}
}

// TestTakeInTurn checks that a rule for every third call leaves the others to the driver, and that a rule with Otherwise
// leaves calls to matching rules.
func TestTakeInTurn(t *testing.T) {
	rules := &Rules{}
	for _, rule := range []Rule{
		{ID: "otherwise", Method: "CreateVolume", Code: "ABORTED", Otherwise: true},
		{ID: "third", Method: "DeleteVolume", Code: "ABORTED", Every: 3},
		{ID: "named", Method: "CreateVolume", Match: []byte(`{"name":"pvc-1"}`), Code: "INTERNAL"},
	} {
		if err := rules.Add(rule); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range []struct{ method, request, want string }{
		{"/csi.v1.Controller/CreateVolume", `{"name":"pvc-1"}`, "named"},
		{"/csi.v1.Controller/CreateVolume", `{"name":"pvc-2"}`, "otherwise"},
		{"/csi.v1.Controller/DeleteVolume", `{}`, ""},
		{"/csi.v1.Controller/DeleteVolume", `{}`, ""},
		{"/csi.v1.Controller/DeleteVolume", `{}`, "third"},
		{"/csi.v1.Controller/DeleteVolume", `{}`, ""},
	} {
		got := ""
		if rule := rules.take(c.method, func() json.RawMessage { return json.RawMessage(c.request) }); rule != nil {
			got = rule.ID
		}
		if got != c.want {
			t.Errorf("call %d, %s: got the rule %q, want %q", i+1, c.method, got, c.want)
		}
	}
}

// TestRemovingRuleEndsItsWaits checks that removing a rule releases the calls that it holds.
func TestRemovingRuleEndsItsWaits(t *testing.T) {
	called := make(chan struct{})
	p := behind(t, &fakeDriver{create: func(context.Context, *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		close(called)
		return &csi.CreateVolumeResponse{}, nil
	}})
	client := p.client(t)
	if err := client.AddRule(t.Context(), Rule{ID: "r", Method: "CreateVolume", Hold: Duration(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := csi.NewControllerClient(p.conn).CreateVolume(t.Context(), &csi.CreateVolumeRequest{})
		ended <- err
	}()
	<-called
	if _, err := client.RemoveRule(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the call got %v", err)
		}
	case <-time.After(limit):
		t.Error("the answer is still held")
	}
}

func TestHandlerWaitsForCalls(t *testing.T) {
	p := behind(t, &fakeDriver{create: func(context.Context, *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		return &csi.CreateVolumeResponse{}, nil
	}})
	client := p.client(t)
	if calls, err := client.Calls(t.Context(), 0, 0); err != nil || len(calls) != 0 {
		t.Fatalf("before the first call got %v, %v", calls, err)
	}
	found := make(chan []Call)
	go func() {
		calls, err := client.Calls(t.Context(), 0, limit)
		if err != nil {
			t.Error(err)
		}
		found <- calls
	}()
	if _, err := csi.NewControllerClient(p.conn).CreateVolume(t.Context(), &csi.CreateVolumeRequest{}); err != nil {
		t.Fatal(err)
	}
	if calls := <-found; len(calls) != 1 {
		t.Errorf("who waited got %v", calls)
	}
	if calls, err := client.Calls(t.Context(), 1, 0); err != nil || len(calls) != 0 {
		t.Errorf("after the last call got %v, %v", calls, err)
	}
}

func TestClientReadsAllOfAProxyThatWasStartedAgain(t *testing.T) {
	created := func(context.Context, *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		return &csi.CreateVolumeResponse{}, nil
	}
	old, again := behind(t, &fakeDriver{create: created}), behind(t, &fakeDriver{create: created})
	for p, times := range map[*proxied]int{old: 3, again: 2} {
		for range times {
			if _, err := csi.NewControllerClient(p.conn).CreateVolume(t.Context(), &csi.CreateVolumeRequest{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	current := old
	fails := false
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fails && r.URL.Query().Get("after") == "0" {
			http.Error(w, "not now", http.StatusServiceUnavailable)
			return
		}
		Handler(current.proxy.Recorder, current.proxy.Rules).ServeHTTP(w, r)
	})
	client := clientAt(t, handler)
	if calls, err := client.Calls(t.Context(), 0, 0); err != nil || len(calls) != 3 {
		t.Fatalf("of the first proxy got %v, %v", calls, err)
	}
	current, fails = again, true
	if _, err := client.Calls(t.Context(), 3, 0); err == nil {
		t.Error("of the second proxy, which failed, got no error")
	}
	fails = false
	if calls, err := client.Calls(t.Context(), 3, 0); err != nil || len(calls) != 2 {
		t.Errorf("of the second proxy got %v, %v, wanted its two calls", calls, err)
	}
	if calls, err := client.Calls(t.Context(), 1, 0); err != nil || len(calls) != 1 {
		t.Errorf("after its first call got %v, %v", calls, err)
	}
}

func TestHandlerRefuses(t *testing.T) {
	p := behind(t, &fakeDriver{})
	client := p.client(t)
	good := Rule{ID: "r", Method: "CreateVolume", Code: "ABORTED"}
	if err := client.AddRule(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	if rules, err := client.Rules(t.Context()); err != nil || len(rules) != 1 || rules[0].ID != "r" || rules[0].Used != 0 {
		t.Errorf("in force are %v, %v", rules, err)
	}
	_, unknown := client.RemoveRule(t.Context(), "absent")
	_, negative := client.Calls(t.Context(), -1, 0)
	_, long := client.Calls(t.Context(), 0, time.Hour)
	_, notARule := client.do(t.Context(), http.MethodPost, "/rules", []byte(`{"ID":"x","methods":"CreateVolume"}`))
	for want, err := range map[string]error{
		`"r", which is in force`: client.AddRule(t.Context(), good),
		`no rule "absent"`:       unknown,
		`found "-1"`:             negative,
		`found "1h0m0s"`:         long,
		`methods`:                notARule,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, wanted an error with %s", err, want)
		}
	}
}

func TestValidateRule(t *testing.T) {
	for want, rule := range map[string]Rule{
		"id:":                        {Method: "CreateVolume", Code: "ABORTED"},
		"method:":                    {ID: "r", Code: "ABORTED"},
		"times:":                     {ID: "r", Method: "m", Code: "ABORTED", Times: -1},
		"delay, hold:":               {ID: "r", Method: "m", Delay: -1, Code: "ABORTED"},
		"match:":                     {ID: "r", Method: "m", Code: "ABORTED", Match: []byte(`"name"`)},
		"patch: want an":             {ID: "r", Method: "m", Patch: []byte(`[]`)},
		"patchRequest: want an":      {ID: "r", Method: "m", PatchRequest: []byte(`1`)},
		"patchRequest: want forward": {ID: "r", Method: "m", PatchRequest: []byte(`{}`), Code: "ABORTED"},
		"answer: want an":            {ID: "r", Method: "m", Answer: []byte(`[]`)},
		"answer: want no":            {ID: "r", Method: "m", Answer: []byte(`{}`), Code: "ABORTED"},
		"patch: want no":             {ID: "r", Method: "m", Patch: []byte(`{}`), Code: "ABORTED"},
		"forward:":                   {ID: "r", Method: "m", Forward: true, Delay: 1},
		"want one of":                {ID: "r", Method: "m"},
		`found "GONE"`:               {ID: "r", Method: "m", Code: "GONE"},
		"code: want one":             {ID: "r", Method: "m", Code: "OK"},
	} {
		if err := rule.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, wanted an error with %q", rule, err, want)
		}
	}
	for _, code := range []string{"NOT_FOUND", "CANCELED", "CANCELLED", "UNAUTHENTICATED"} {
		if err := (Rule{ID: "r", Method: "m", Code: code}).Validate(); err != nil {
			t.Errorf("%s: %v", code, err)
		}
	}
}

func TestContains(t *testing.T) {
	const whole = `{"name":"a","size":9007199254740993,"list":[{"x":1,"y":2}],"map":{"k":"v","l":"w"}}`
	for part, want := range map[string]bool{
		`{}`:                         true,
		`{"name":"a"}`:               true,
		`{"name":"b"}`:               false,
		`{"absent":null}`:            false,
		`{"size":9007199254740993}`:  true,
		`{"size":9007199254740992}`:  false,
		`{"map":{"k":"v"}}`:          true,
		`{"map":{"k":"w"}}`:          false,
		`{"list":[{"x":1}]}`:         true,
		`{"list":[{"x":1},{"x":1}]}`: false,
		`{"list":{"x":1}}`:           false,
		`{"map":["k"]}`:              false,
		`not JSON`:                   false,
	} {
		if got := contains([]byte(whole), []byte(part)); got != want {
			t.Errorf("%s: got %t, wanted %t", part, got, want)
		}
	}
}
