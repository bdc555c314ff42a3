// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// longestWait is the maximum time that the handler waits for a call.
const longestWait = time.Minute

// recorderHeader names the recorder that counts the calls: a restarted proxy counts from 1 again.
const recorderHeader = "Csi-Topo-Recorder"

// Handler serves the recorded calls, and accepts rules:
//
//	GET /calls?after=N&wait=10s  the calls with a number above N, one per line; if there is
//	                             none, it waits for one for the given time
//	GET /rules                   the active rules, with the number of uses of each
//	POST /rules                  adds a rule
//	DELETE /rules/{id}           removes a rule, and answers with the number of its uses
//
// A request that cannot be served is answered with a sentence with the reason.
func Handler(recorder *Recorder, rules *Rules) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /calls", func(w http.ResponseWriter, r *http.Request) { serveCalls(w, r, recorder) })
	mux.HandleFunc("GET /rules", func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, rules.List()) })
	mux.HandleFunc("POST /rules", func(w http.ResponseWriter, r *http.Request) { addRule(w, r, rules) })
	mux.HandleFunc("DELETE /rules/{id}", func(w http.ResponseWriter, r *http.Request) {
		rule, found := rules.Remove(r.PathValue("id"))
		if !found {
			http.Error(w, fmt.Sprintf("no rule %q is in force", r.PathValue("id")), http.StatusNotFound)
			return
		}
		respond(w, http.StatusOK, rule)
	})
	return mux
}

func serveCalls(w http.ResponseWriter, r *http.Request, recorder *Recorder) {
	after, err := strconv.ParseInt(orDefault(r.FormValue("after"), "0"), 10, 64)
	if err != nil || after < 0 {
		http.Error(w, fmt.Sprintf("after: want the number of a call, found %q", r.FormValue("after")), http.StatusBadRequest)
		return
	}
	wait, err := time.ParseDuration(orDefault(r.FormValue("wait"), "0s"))
	if err != nil || wait < 0 || wait > longestWait {
		http.Error(w, fmt.Sprintf("wait: want a duration up to %s, found %q", longestWait, r.FormValue("wait")), http.StatusBadRequest)
		return
	}
	lines, err := recorder.After(r.Context(), after, wait)
	if err != nil && !errors.Is(err, context.Canceled) {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set(recorderHeader, recorder.id)
	_, _ = w.Write(lines) // an error is the caller's, who is gone
}

func addRule(w http.ResponseWriter, r *http.Request, rules *Rules) {
	var rule Rule
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&rule); err != nil {
		http.Error(w, fmt.Sprintf("want a rule as a JSON object: %v", err), http.StatusBadRequest)
		return
	}
	if err := rules.Add(rule); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	respond(w, http.StatusCreated, rule)
}

func respond(w http.ResponseWriter, code int, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(append(data, '\n')) // an error is the caller's, who is gone
}

func orDefault(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}
