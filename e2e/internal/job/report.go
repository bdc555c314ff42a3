// SPDX-License-Identifier: Apache-2.0

package job

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
)

// roomBytes is the API server's limit for the values in a ConfigMap.
const roomBytes = 1 << 20

// reportFiles returns the names of the files that are stored in a ConfigMap, the most important first.
func reportFiles() []string { return []string{"report.yaml", "report.html", "junit.xml"} }

// Keeper stores reports in one existing ConfigMap.
type Keeper struct {
	Kube            kubernetes.Interface
	Namespace, Name string
}

// NewKeeper returns a Keeper for the ConfigMap namespace/name. It returns an error unless reference has that form.
func NewKeeper(kube kubernetes.Interface, reference string) (Keeper, error) {
	namespace, name, found := strings.Cut(reference, "/")
	if !found || namespace == "" || name == "" || strings.Contains(name, "/") {
		return Keeper{}, fmt.Errorf("the ConfigMap for the report is %q: want its namespace and its name, such as %s/%s", reference, Name, ReportMap)
	}
	return Keeper{kube, namespace, name}, nil
}

// Check returns an error if no report can be stored: the API server checks a change in a dry run.
func (k Keeper) Check(ctx context.Context) error {
	return k.update(ctx, func(*corev1.ConfigMap) {}, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
}

// Keep stores the report of a directory. A file that is too large is compressed, and .gz is added to its name; Keep returns
// the names of files that are still too large.
func (k Keeper) Keep(ctx context.Context, dir string) (tooLarge []string, err error) {
	text, compressed := map[string]string{}, map[string][]byte{}
	room := roomBytes
	for _, name := range reportFiles() {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("reading the report: %w", err)
		}
		if len(content) <= room && utf8.Valid(content) {
			text[name] = string(content)
			room -= len(content)
			continue
		}
		if content, err = compress(content); err != nil {
			return nil, fmt.Errorf("compressing %s: %w", name, err)
		}
		if len(content) > room {
			tooLarge = append(tooLarge, name)
			continue
		}
		compressed[name+".gz"] = content
		room -= len(content)
	}
	return tooLarge, k.update(ctx, func(m *corev1.ConfigMap) { m.Data, m.BinaryData = text, compressed }, metav1.UpdateOptions{})
}

// Fetch writes the report from the ConfigMap into a directory, which it creates.
func (k Keeper) Fetch(ctx context.Context, dir string) error {
	found, err := k.Kube.CoreV1().ConfigMaps(k.Namespace).Get(ctx, k.Name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading the ConfigMap %s/%s: %w", k.Namespace, k.Name, err)
	}
	if len(found.Data)+len(found.BinaryData) == 0 {
		return fmt.Errorf("there is no report in the ConfigMap %s/%s: the log of the Job says why", k.Namespace, k.Name)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the directory of a report: %w", err)
	}
	for name, content := range found.Data {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	for name, content := range found.BinaryData {
		content, failed := decompress(content)
		err = errors.Join(err, failed, os.WriteFile(filepath.Join(dir, strings.TrimSuffix(name, ".gz")), content, 0o644))
	}
	return err
}

func (k Keeper) update(ctx context.Context, change func(*corev1.ConfigMap), o metav1.UpdateOptions) error {
	maps := k.Kube.CoreV1().ConfigMaps(k.Namespace)
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		found, err := maps.Get(ctx, k.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		change(found)
		_, err = maps.Update(ctx, found, o)
		return err
	})
	if err != nil {
		return fmt.Errorf("writing the report to the ConfigMap %s/%s, which must exist and may be empty: %w", k.Namespace, k.Name, err)
	}
	return nil
}

func compress(content []byte) ([]byte, error) {
	var out bytes.Buffer
	to := gzip.NewWriter(&out)
	if _, err := to.Write(content); err != nil {
		return nil, err
	}
	err := to.Close()
	return out.Bytes(), err
}

func decompress(content []byte) ([]byte, error) {
	from, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(from)
}
