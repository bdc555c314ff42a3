// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryMinorBuildsItsOwnVersion(t *testing.T) {
	minors, err := Minors()
	if err != nil {
		t.Fatal(err)
	}
	if len(minors) == 0 {
		t.Fatal("want at least one Kubernetes minor, found none")
	}
	for _, minor := range minors {
		c, version, err := kubernetes(minor)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(version, "v"+minor+".") {
			t.Errorf("clusters/nodeimage/modules/kubernetes/v%s.mod requires Kubernetes %s", minor, version)
		}
		if !strings.Contains(c.ldflags, "gitVersion="+version) {
			t.Errorf("%s: its programs would not say their version: %s", minor, c.ldflags)
		}
		staging, err := c.required("k8s.io/kubernetes")
		if err != nil || staging != version {
			t.Errorf("want %s, got %s, %v", version, staging, err)
		}
	}
}

func TestUnknownMinorNamesTheKnownOnes(t *testing.T) {
	minors, err := Minors()
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckMinor("1.2"); err == nil || !strings.Contains(err.Error(), `unknown Kubernetes version "1.2": known are `+strings.Join(minors, ", ")) {
		t.Errorf("want the known versions named, got %v", err)
	}
}

// TestEveryMinorHasAPublishedNode checks that nobody who can pull has to build: there is a published node image for each
// minor.
func TestEveryMinorHasAPublishedNode(t *testing.T) {
	minors, err := Minors()
	if err != nil {
		t.Fatal(err)
	}
	if last := minors[len(minors)-1]; last != DefaultMinor {
		t.Errorf("the default is %s, and the newest %s", DefaultMinor, last)
	}
	published := Published().Node
	if len(published) != len(minors) {
		t.Errorf("want a published node image of each of %s, got %v", minors, published)
	}
	for _, minor := range minors {
		if !strings.HasPrefix(published[minor], "docker.io/kindest/node:v"+minor+".") {
			t.Errorf("of %s: want an image of that minor, got %q", minor, published[minor])
		}
	}
}

// TestSourceOutsideOfACheckoutSaysWhatToDo checks the error of a program without a version, as a test is. For programs
// with one, see TestInstalledAtAVersion of the command.
func TestSourceOutsideOfACheckoutSaysWhatToDo(t *testing.T) {
	if _, err := Source(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "change to a checkout, or run `go install ") {
		t.Errorf("want a sentence that says what to do, got %v", err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Source(t.Context(), here); err != nil || filepath.Join(got, "clusters", "nodeimage") != here {
		t.Errorf("want the root of the checkout that has %s, got %s, %v", here, got, err)
	}
}
