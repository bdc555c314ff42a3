// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ErrNotFound is the error for a rule that is not in force.
var ErrNotFound = errors.New("not found by the proxy")

// Client is a client of a [Handler].
type Client struct {
	http http.Client
	mu   sync.Mutex
	// recorder is the recorder of the most recently read calls, empty before the first.
	recorder string
}

// NewClient returns a client of the handler at the other end of the connections that dial opens.
func NewClient(dial func(ctx context.Context) (net.Conn, error)) *Client {
	return &Client{http: http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) },
	}}}
}

// Close closes the connections that no call uses.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Calls returns the calls with a number above after, among them every call that ended before. If there is none, it waits
// for one for the given time, a minute at most. If the proxy was restarted since, it returns all calls: their numbers start
// again.
func (c *Client) Calls(ctx context.Context, after int64, wait time.Duration) ([]Call, error) {
	body, recorder, err := c.calls(ctx, after, wait)
	if err == nil && after > 0 && c.restarted(recorder) {
		body, recorder, err = c.calls(ctx, 0, wait)
	}
	if err != nil {
		return nil, fmt.Errorf("asking for recorded calls: %w", err)
	}
	c.remember(recorder) // only now: so a restart is noticed again if its calls could not be read
	var calls []Call
	decoder := json.NewDecoder(bytes.NewReader(body))
	for decoder.More() {
		var call Call
		if err := decoder.Decode(&call); err != nil {
			return nil, fmt.Errorf("reading recorded calls: %w", err)
		}
		calls = append(calls, call)
	}
	return calls, nil
}

// calls returns lines of calls, and their recorder.
func (c *Client) calls(ctx context.Context, after int64, wait time.Duration) (lines []byte, recorder string, err error) {
	query := url.Values{"after": {strconv.FormatInt(after, 10)}, "wait": {wait.String()}}
	lines, header, err := c.ask(ctx, http.MethodGet, "/calls?"+query.Encode(), nil)
	if err != nil {
		return nil, "", err
	}
	return lines, header.Get(recorderHeader), nil
}

// restarted reports whether the earlier calls belonged to another recorder.
func (c *Client) restarted(recorder string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.recorder != "" && c.recorder != recorder
}

func (c *Client) remember(recorder string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recorder = recorder
}

// AddRule activates a rule.
func (c *Client) AddRule(ctx context.Context, rule Rule) error {
	body, err := json.Marshal(rule)
	if err != nil {
		return fmt.Errorf("writing rule %s: %w", rule.ID, err)
	}
	if _, err := c.do(ctx, http.MethodPost, "/rules", body); err != nil {
		return fmt.Errorf("adding rule %s: %w", rule.ID, err)
	}
	return nil
}

// RemoveRule ends a rule, and returns the number of its uses.
func (c *Client) RemoveRule(ctx context.Context, id string) (RuleUse, error) {
	var use RuleUse
	body, err := c.do(ctx, http.MethodDelete, "/rules/"+url.PathEscape(id), nil)
	if err != nil {
		return use, fmt.Errorf("removing rule %s: %w", id, err)
	}
	if err := json.Unmarshal(body, &use); err != nil {
		return use, fmt.Errorf("reading what became of rule %s: %w", id, err)
	}
	return use, nil
}

// Rules returns the active rules.
func (c *Client) Rules(ctx context.Context) ([]RuleUse, error) {
	body, err := c.do(ctx, http.MethodGet, "/rules", nil)
	if err != nil {
		return nil, fmt.Errorf("asking for rules: %w", err)
	}
	var rules []RuleUse
	if err := json.Unmarshal(body, &rules); err != nil {
		return nil, fmt.Errorf("reading rules: %w", err)
	}
	return rules, nil
}

func (c *Client) do(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	answer, _, err := c.ask(ctx, method, path, body)
	return answer, err
}

func (c *Client) ask(ctx context.Context, method, path string, body []byte) ([]byte, http.Header, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://proxy"+path, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the answer: %w", err)
	}
	if response.StatusCode == http.StatusNotFound {
		return nil, nil, fmt.Errorf("%w: %s", ErrNotFound, strings.TrimSpace(string(answer)))
	}
	if response.StatusCode >= http.StatusBadRequest {
		return nil, nil, fmt.Errorf("the proxy answered: %s", strings.TrimSpace(string(answer)))
	}
	return answer, response.Header, nil
}
