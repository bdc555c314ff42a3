// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Keys that a kubelet adds to the volume_context of NodePublishVolume if the CSIDriver requests it.
const (
	// fromKubelet is the prefix of these keys.
	fromKubelet = "csi.storage.k8s.io/"
	tokensKey   = fromKubelet + "serviceAccount.tokens"
)

// publishRequest has the fields of a request of NodePublishVolume that are judged.
type publishRequest struct {
	ID         string            `json:"volume_id"`
	Target     string            `json:"target_path"`
	Context    map[string]string `json:"volume_context"`
	Secrets    map[string]string `json:"secrets"`
	Capability struct {
		Mount struct {
			FSType string `json:"fs_type"`
			Group  string `json:"volume_mount_group"`
		} `json:"mount"`
	} `json:"volume_capability"`
}

func publication(call trace.Call) (publishRequest, error) {
	var request publishRequest
	if err := json.Unmarshal(call.Request, &request); err != nil {
		return request, fmt.Errorf("reading the request of %s: %w", call.Method, err)
	}
	return request, nil
}

// Target returns the target_path of the call.
func Target(call trace.Call) (string, error) {
	request, err := publication(call)
	return request.Target, err
}

// At reports whether the call is for the pod's volume of this name, according to its target_path.
func At(call trace.Call, pod, volume string) bool {
	request, err := publication(call)
	return err == nil && strings.Contains(request.Target, "/pods/"+pod+"/") && path.Base(path.Dir(request.Target)) == volume
}

// eachPublication requires at least one call, and judge to accept each request.
func eachPublication(calls []trace.Call, judge func(publishRequest) error) error {
	if len(calls) == 0 {
		return errors.New("NodePublishVolume was not called")
	}
	for _, call := range calls {
		request, err := publication(call)
		if err != nil {
			return err
		}
		if err := judge(request); err != nil {
			return err
		}
	}
	return nil
}

// Context requires each call to have exactly this volume_context, except for tokens, which Tokens checks.
func Context(calls []trace.Call, wanted map[string]string) error {
	return eachPublication(calls, func(request publishRequest) error {
		delete(request.Context, tokensKey)
		if !maps.Equal(request.Context, wanted) {
			return finalMismatch("volume_context of NodePublishVolume", text(wanted), text(request.Context))
		}
		return nil
	})
}

// PodInfo returns the volume_context with the information on a pod, for a driver that requests it, and with the keys of
// besides.
func PodInfo(namespace, name, uid, account string, ephemeral bool, besides map[string]string) map[string]string {
	said := map[string]string{
		fromKubelet + "pod.namespace": namespace, fromKubelet + "pod.name": name, fromKubelet + "pod.uid": uid,
		fromKubelet + "serviceAccount.name": account, fromKubelet + "ephemeral": fmt.Sprint(ephemeral),
	}
	maps.Copy(said, besides)
	return said
}

// Tokens requires each call to have, in volume_context, a token with an expiration time for exactly these audiences,
// and none without audiences.
func Tokens(calls []trace.Call, audiences ...string) error {
	return eachPublication(calls, func(request publishRequest) error {
		tokens := map[string]struct {
			Token   string `json:"token"`
			Expires string `json:"expirationTimestamp"`
		}{}
		if sent, has := request.Context[tokensKey]; has {
			if err := json.Unmarshal([]byte(sent), &tokens); err != nil {
				return finalMismatch(tokensKey+" in volume_context", "an object with a token for each audience", sent)
			}
		}
		if found := slices.Sorted(maps.Keys(tokens)); !slices.Equal(found, slices.Sorted(slices.Values(audiences))) {
			return finalMismatch("audiences of tokens in volume_context", fmt.Sprintf("%q", audiences), fmt.Sprintf("%q", found))
		}
		for audience, token := range tokens {
			if token.Token == "" || token.Expires == "" {
				return finalMismatch(fmt.Sprintf("token for %q", audience), "a token, and when it expires", fmt.Sprintf("token: %v, expirationTimestamp: %q", token.Token != "", token.Expires))
			}
		}
		return nil
	})
}

// TokensInSecrets requires each call to have the tokens in its secrets, or not.
func TokensInSecrets(calls []trace.Call, wanted bool) error {
	return eachPublication(calls, func(request publishRequest) error {
		if _, has := request.Secrets[tokensKey]; has != wanted {
			return finalMismatch("secrets of NodePublishVolume have "+tokensKey, fmt.Sprint(wanted), fmt.Sprint(has))
		}
		return nil
	})
}

// MountGroup requires each call to have this volume_mount_group; empty for none.
func MountGroup(calls []trace.Call, wanted string) error {
	return eachPublication(calls, func(request publishRequest) error {
		if found := request.Capability.Mount.Group; found != wanted {
			return finalMismatch("volume_mount_group of NodePublishVolume", fmt.Sprintf("%q", wanted), fmt.Sprintf("%q", found))
		}
		return nil
	})
}

// BelongsTo requires the directory of a pod's volume to belong to this group.
func BelongsTo(pod, volume string, group, wanted int64) error {
	if group != wanted {
		return mismatch("group of the volume "+volume+" in pod "+pod, fmt.Sprint(wanted), fmt.Sprint(group))
	}
	return nil
}

// PublishedAgain requires at least the given number of calls, each for the same volume at the same path.
func PublishedAgain(calls []trace.Call, least int) error {
	if len(calls) < least {
		return mismatch("calls of NodePublishVolume", fmt.Sprintf("%d or more", least), fmt.Sprint(len(calls)))
	}
	first, err := publication(calls[0])
	if err != nil {
		return err
	}
	return eachPublication(calls, func(again publishRequest) error {
		if again.ID != first.ID || again.Target != first.Target {
			return finalMismatch("NodePublishVolume, repeated", first.ID+" at "+first.Target, again.ID+" at "+again.Target)
		}
		return nil
	})
}

// PublishedOnce requires one call of NodePublishVolume, and no other.
func PublishedOnce(calls []trace.Call) error {
	if len(calls) != 1 {
		return finalMismatch("calls of NodePublishVolume", "1", fmt.Sprint(len(calls)))
	}
	return nil
}

// TakenDown requires each published volume to have been unpublished from its path, with success.
func TakenDown(published, unpublished []trace.Call) error {
	return eachPublication(published, func(there publishRequest) error {
		if !slices.ContainsFunc(unpublished, func(u trace.Call) bool {
			taken, err := publication(u)
			return err == nil && u.Code == codeOK && taken.ID == there.ID && taken.Target == there.Target
		}) {
			return mismatch("NodeUnpublishVolume of "+there.ID+" from "+there.Target, "a success", fmt.Sprintf("%d calls", len(unpublished)))
		}
		return nil
	})
}
