// SPDX-License-Identifier: Apache-2.0

package install

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

func kustomizationFiles() []string { return konfig.RecognizedKustomizationFileNames() }

// Objects renders the driver's objects in the order to apply them. It returns none if a command installs the driver.
// images maps names of images in the manifests, without tags, to the references that replace them.
func (d Driver) Objects(registry bool, images map[string]string) ([]*unstructured.Unstructured, error) {
	var text map[string][]byte
	var err error
	switch {
	case d.WithoutRegistry != "" && !registry:
		text, err = kustomized(d.WithoutRegistry)
	case d.Kustomization != "":
		text, err = kustomized(d.Kustomization)
	case d.Manifests != "":
		text, err = manifests(d.Manifests)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return withImages(text, images)
}

// kustomized renders a kustomization. It may name files outside its directory, such as the kustomization in a driver's
// own checkout.
func kustomized(dir string) (map[string][]byte, error) {
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = types.LoadRestrictionsNone
	rendered, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return nil, fmt.Errorf("rendering the kustomization %s: %w", dir, err)
	}
	text, err := rendered.AsYaml()
	if err != nil {
		return nil, fmt.Errorf("rendering the kustomization %s: %w", dir, err)
	}
	return map[string][]byte{"rendered.yaml": text}, nil
}

// manifests reads a file, or the YAML files of a directory.
func manifests(path string) (map[string][]byte, error) {
	files := []string{path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		files = nil
		for _, pattern := range []string{"*.yaml", "*.yml", "*.json"} {
			found, _ := filepath.Glob(filepath.Join(path, pattern)) // the patterns are valid
			files = append(files, found...)
		}
	}
	text := map[string][]byte{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading manifests: %w", err)
		}
		text[filepath.Base(file)] = content
	}
	if len(text) == 0 {
		return nil, fmt.Errorf("reading manifests: there is no YAML file in %s", path)
	}
	return text, nil
}

// withImages reads the files, with images replaced and the objects in order.
func withImages(text map[string][]byte, images map[string]string) ([]*unstructured.Unstructured, error) {
	disk := filesys.MakeFsInMemory()
	top := types.Kustomization{Resources: slices.Sorted(maps.Keys(text))}
	for name, content := range text {
		if err := disk.WriteFile(name, content); err != nil {
			return nil, fmt.Errorf("copying %s: %w", name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(images)) {
		top.Images = append(top.Images, imageOf(name, images[name]))
	}
	content, err := yaml.Marshal(top)
	if err != nil {
		return nil, fmt.Errorf("writing the top kustomization: %w", err)
	}
	if err := disk.WriteFile(konfig.DefaultKustomizationFileName(), content); err != nil {
		return nil, fmt.Errorf("writing the top kustomization: %w", err)
	}
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionLegacy
	rendered, err := krusty.MakeKustomizer(options).Run(disk, ".")
	if err != nil {
		return nil, fmt.Errorf("rendering the driver: %w", err)
	}
	return objects(rendered)
}

// imageOf returns the replacement of the image with the name by the reference: "name", "name:tag" or "name@digest".
func imageOf(name, reference string) types.Image {
	if repository, digest, found := strings.Cut(reference, "@"); found {
		return types.Image{Name: name, NewName: repository, Digest: digest}
	}
	if colon := strings.LastIndex(reference, ":"); colon > strings.LastIndex(reference, "/") {
		return types.Image{Name: name, NewName: reference[:colon], NewTag: reference[colon+1:]}
	}
	return types.Image{Name: name, NewName: reference}
}

func objects(rendered resmap.ResMap) ([]*unstructured.Unstructured, error) {
	var all []*unstructured.Unstructured
	for _, resource := range rendered.Resources() {
		object, err := resource.Map()
		if err != nil {
			return nil, fmt.Errorf("reading rendered %s: %w", resource.CurId(), err)
		}
		all = append(all, &unstructured.Unstructured{Object: object})
	}
	if len(all) == 0 {
		return nil, errors.New("the manifests of the driver rendered to nothing")
	}
	return all, nil
}
