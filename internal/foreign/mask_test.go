// SPDX-License-Identifier: Apache-2.0

package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestMask(t *testing.T) {
	const plain = "returns OK for the capacity of volumes; true"
	for _, c := range []struct {
		name   string
		values []string
		given  string
		want   string
	}{
		{"no values", nil, "right", "right"},
		{"an empty value", []string{""}, "right", "right"},
		{"a value", []string{"s3cr3t-of-mine"}, "login with s3cr3t-of-mine failed", "login with ***stripped*** failed"},
		{"a part of a longer word", []string{"s3cr3t-of-mine"}, "vol_s3cr3t-of-mine1", "vol_***stripped***1"},
		{"a value within another one", []string{"s3cr3t-of", "s3cr3t-of-mine"}, "s3cr3t-of s3cr3t-of-mine", "***stripped*** ***stripped***"},
		{"a short value, as a word", []string{"right"}, `{"password":"right"}, right=bright, right-wrong`, `{"password":"***stripped***"}, ***stripped***=bright, ***stripped***-wrong`},
		{"a value that is too short", []string{"a", "ab", "abc"}, "a ab abc", "a ab abc"},
		{"a value that is said in any case", []string{"true", "capacity", "volumes"}, "true capacity of volumes", "true capacity of volumes"},
		{"a part of what is said", []string{"capa"}, "capa city capacity", "***stripped*** city capacity"},
		{"lines", []string{"[client]\n  key = AQBx0fZe\n}\n"}, "[client] in key = AQBx0fZe; }", "***stripped*** in ***stripped***; }"},
		{"an end of line that is left out", []string{"s3cr3t-of-mine\n"}, "s3cr3t-of-mine", "***stripped***"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := NewMask(c.values, plain)
			if got := m.Text(c.given); got != c.want {
				t.Errorf("want %q, got %q", c.want, got)
			}
			cause := errors.New(c.given)
			if err := m.Error(cause); err.Error() != c.want || !errors.Is(err, cause) {
				t.Errorf("want an error that says %q, got %q", c.want, err)
			}
		})
	}
}

// TestMaskOfQuoted checks that quoted values are hidden as well.
func TestMaskOfQuoted(t *testing.T) {
	const value = "a\"b\\c<d>&é\x01-long"
	m := NewMask([]string{value, "x\"<y"}, "")
	for _, value := range []string{value, "x\"<y"} {
		text, err := json.Marshal(map[string]string{"password": value})
		if err != nil {
			t.Fatal(err)
		}
		for _, given := range []string{value, fmt.Sprintf("%q", value), string(text), fmt.Sprintf("%q", fmt.Sprintf("%q", value)), fmt.Sprintf("%q", text)} {
			if got := m.Text(given); !strings.Contains(got, Masked) || strings.Contains(got, "b") || strings.Contains(got, "y") {
				t.Errorf("%s: got %s", given, got)
			}
		}
	}
	var none *Mask
	if err := m.Error(nil); err != nil {
		t.Errorf("want no error, got %v", err)
	}
	if got := none.Text(value); got != value {
		t.Errorf("without a mask: want %q, got %q", value, got)
	}
}
