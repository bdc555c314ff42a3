package nodeimage

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Minors lists the Kubernetes minors that can be built, as "1.36", in ascending order
// of name: one for each nested module.
func Minors(source string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(source, "clusters", "nodeimage", "kubernetes"))
	if err != nil {
		return nil, fmt.Errorf("listing the Kubernetes versions: %w", err)
	}
	var minors []string
	for _, entry := range entries {
		if entry.IsDir() {
			minors = append(minors, strings.TrimPrefix(entry.Name(), "v"))
		}
	}
	slices.Sort(minors)
	return minors, nil
}

// CheckMinor returns an error that says which minors there are when minor is none of them.
func CheckMinor(source, minor string) error {
	minors, err := Minors(source)
	if err != nil {
		return err
	}
	if !slices.Contains(minors, minor) {
		return fmt.Errorf("unknown Kubernetes version %q: known are %s; a new one is a directory clusters/nodeimage/kubernetes/vX.Y with a go.mod",
			minor, strings.Join(minors, ", "))
	}
	return nil
}

// required is the version that a module's go.mod asks of another module.
func required(module, path string) (string, error) {
	name := filepath.Join(module, "go.mod")
	content, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("reading a component's versions: %w", err)
	}
	file, err := modfile.ParseLax(name, content, nil)
	if err != nil {
		return "", fmt.Errorf("reading a component's versions: %w", err)
	}
	for _, require := range file.Require {
		if require.Mod.Path == path {
			return require.Mod.Version, nil
		}
	}
	return "", fmt.Errorf("%s does not require %s", name, path)
}
