package nodeimage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func checkout(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	source, err := Source(dir)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func TestEveryMinorBuildsItsOwnVersion(t *testing.T) {
	source := checkout(t)
	minors, err := Minors(source)
	if err != nil {
		t.Fatal(err)
	}
	if len(minors) == 0 {
		t.Fatal("want at least one Kubernetes minor, found none")
	}
	b := &Builder{Source: source}
	for _, minor := range minors {
		c, version, err := b.kubernetes(minor)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(version, "v"+minor+".") {
			t.Errorf("clusters/nodeimage/kubernetes/v%s requires Kubernetes %s", minor, version)
		}
		if !strings.Contains(c.ldflags, "gitVersion="+version) {
			t.Errorf("%s: its programs would not say their version: %s", minor, c.ldflags)
		}
		staging, err := required(b.module(c.dir), "k8s.io/kubernetes")
		if err != nil || staging != version {
			t.Errorf("want %s, got %s, %v", version, staging, err)
		}
	}
}

func TestUnknownMinorNamesTheKnownOnes(t *testing.T) {
	err := CheckMinor(checkout(t), "1.2")
	if err == nil || !strings.Contains(err.Error(), `unknown Kubernetes version "1.2": known are 1.34, 1.35, 1.36`) {
		t.Errorf("want the known versions named, got %v", err)
	}
}

func TestSourceOutsideOfACheckoutSaysWhatToDo(t *testing.T) {
	if _, err := Source(t.TempDir()); err == nil || !strings.Contains(err.Error(), "change to a checkout") {
		t.Errorf("want a sentence that says what to do, got %v", err)
	}
	source := checkout(t)
	if got, err := Source(filepath.Join(source, "clusters", "kind")); err != nil || got != source {
		t.Errorf("want %s from below it, got %s, %v", source, got, err)
	}
}
