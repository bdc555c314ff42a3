// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
)

// CheckPrefix returns an error if the prefix is not a valid registry and path.
func CheckPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	_, err := name.NewRepository(prefix+"/kindest/node", name.StrictValidation)
	if err != nil || !strings.ContainsAny(firstPart(prefix), ".:") || slices.Contains(strings.Split(prefix, "/"), "") {
		return fmt.Errorf("the prefix of images %q: want a registry, and a path if there is one, such as registry.example.com/mirror", prefix)
	}
	return nil
}

// Mirrored returns the name of a published image below a prefix, which replaces the registry. Without a prefix, it
// returns the image's own name.
func Mirrored(image, prefix string) string {
	if prefix == "" {
		return image
	}
	return prefix + strings.TrimPrefix(image, firstPart(image))
}

func firstPart(image string) string {
	first, _, _ := strings.Cut(image, "/")
	return first
}

// For returns the images that are pulled for a cluster of the Kubernetes minor, by their own names.
func (p PublishedImages) For(minor string) ([]string, error) {
	if err := CheckMinor(minor); err != nil {
		return nil, err
	}
	node, ok := p.Node[minor]
	if !ok {
		return nil, fmt.Errorf("no published node image of Kubernetes %s is known: everything that its cluster runs is built, and nothing is pulled", minor)
	}
	return slices.Concat([]string{node, p.Debian}, p.Controller, p.BesideNode, p.Snapshots), nil
}
