// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
)

// generalScheme is the section of the spec with the codes that every RPC may return.
const generalScheme = "Error Scheme"

// beyond is a code that the driver returns for a condition that the spec's tables lack.
type beyond struct {
	rpc  string
	code codes.Code
	why  string
}

// beyondTable returns the driver's codes for conditions that the spec's tables lack. The driver must return no other
// code.
func beyondTable() []beyond {
	return []beyond{
		{"CreateVolume", codes.FailedPrecondition, "the volume to be copied is a directory that nodes may write to: it can be copied when they do not have it any more"},
		{"CreateSnapshot", codes.FailedPrecondition, "as CreateVolume"},
		{"CreateSnapshot", codes.NotFound, "source_volume_id names no volume: what every other RPC answers then"},
		{"CreateVolumeGroupSnapshot", codes.NotFound, "as CreateSnapshot, for one of source_volume_ids"},
		{"ControllerExpandVolume", codes.ResourceExhausted, "a segment of the volume is full, which no range of bytes is to blame for (CSI spec issue 463)"},
	}
}

// allowed returns the codes other than OK that the RPC may return: from its own table, from the general scheme and from
// beyondTable.
func allowed(rpc string) []codes.Code {
	var found []codes.Code
	for _, l := range specTable() {
		if l.section == generalScheme || l.section == rpc+" Errors" {
			found = append(found, l.code)
		}
	}
	for _, b := range beyondTable() {
		if b.rpc == rpc {
			found = append(found, b.code)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// TestTableIsTheSpecs checks that specTable matches the text of the spec in the Go module of the protocol.
func TestTableIsTheSpecs(t *testing.T) {
	output, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/container-storage-interface/spec").Output()
	if err != nil {
		t.Fatalf("asking Go where the spec is: %v", err)
	}
	want := linesOf(t, filepath.Join(strings.TrimSpace(string(output)), "spec.md"))
	got := specTable()
	for _, l := range want {
		if !slices.Contains(got, l) {
			t.Errorf("the spec has %v, and specTable does not", l)
		}
	}
	for _, l := range got {
		if !slices.Contains(want, l) {
			t.Errorf("specTable has %v, and the spec does not", l)
		}
	}
}

// TestBeyondIsNotInTheTable checks that beyondTable has no code that the spec allows anyway.
func TestBeyondIsNotInTheTable(t *testing.T) {
	for _, b := range beyondTable() {
		r := rpcNamed(t, b.rpc)
		if slices.ContainsFunc(specTable(), func(l line) bool {
			return l.code == b.code && (l.section == generalScheme || l.section == r.name+" Errors")
		}) {
			t.Errorf("%s of %s is in the spec's table: remove it from beyondTable", b.code, b.rpc)
		}
	}
}

// linesOf reads the tables of errors of the driver's RPCs from the spec.
func linesOf(t *testing.T, path string) []line {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	sections := []string{generalScheme}
	for _, r := range rpcs() {
		sections = append(sections, r.name+" Errors")
	}
	row := regexp.MustCompile(`^\|\s*(.*?)\s*\|\s*\d+ ([A-Z_]+)\s*\|`)
	var found []line
	section := ""
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		if heading := strings.TrimLeft(scanner.Text(), "#"); heading != scanner.Text() {
			section = strings.TrimSpace(heading)
		}
		match := row.FindStringSubmatch(scanner.Text())
		if match == nil || !slices.Contains(sections, section) {
			continue
		}
		var code codes.Code
		if err := code.UnmarshalJSON([]byte(fmt.Sprintf("%q", match[2]))); err != nil {
			t.Fatalf("reading the code in %q: %v", scanner.Text(), err)
		}
		found = append(found, line{section: section, condition: match[1], code: code})
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}
