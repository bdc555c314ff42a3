// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestJournal(t *testing.T) {
	dir := t.TempDir()
	j, err := Create(dir, Head{Run: "abcd1234", Driver: "csi.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Write(Line{Sent: &Sent{N: j.Next(), Method: "/csi.v1.Controller/DeleteVolume", Request: []byte(`{"volumeId":"v"}`)}}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, Name("abcd1234"))
	if found, err := filepath.Glob(filepath.Join(dir, Pattern)); err != nil || len(found) != 1 || found[0] != path {
		t.Errorf("found %v, %v, want %s", found, err, path)
	}
	if _, _, _, err := Open(path); !errors.Is(err, ErrInUse) {
		t.Errorf("Open = %v while the run writes, want %v", err, ErrInUse)
	}
	cut(t, path)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	again, head, lines, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if head.Run != "abcd1234" || head.Driver != "csi.example.com" || len(lines) != 1 || lines[0].Sent.N != 1 {
		t.Errorf("got %+v and %+v", head, lines)
	}
	if err := again.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the journal is left: %v", err)
	}
}

// cut appends the beginning of a line, as a killed process leaves it.
func cut(t *testing.T, path string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"sent":{"n":2,"meth`); err != nil {
		t.Error(err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":      "",
		"another file": "{\"case\": \"T-EQ-1\"}\n",
		"no JSON":      "driver: csi.example.com\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), Name("abcd1234"))
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, _, _, err := Open(path); err == nil {
				t.Error("want an error")
			}
		})
	}
}
