// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"encoding/json"

	"github.com/csi-topo/csi-topo/internal/foreign"
)

// tokensKey is the key of volume_context in NodePublishVolume for a pod's tokens, by audience, if the driver requests them
// (kubernetes-csi/docs token-requests.md). The field is not marked as a secret.
const tokensKey = "csi.storage.k8s.io/serviceAccount.tokens"

// withoutTokens masks the tokens in a message in JSON. Their audiences and expiration times stay.
func withoutTokens(message json.RawMessage) json.RawMessage {
	if !bytes.Contains(message, []byte(tokensKey)) {
		return message
	}
	fields := map[string]json.RawMessage{}
	context := map[string]string{}
	const field = "volume_context"
	if json.Unmarshal(message, &fields) != nil || json.Unmarshal(fields[field], &context) != nil {
		return message // without a text with this key, there can be no token either
	}
	if _, has := context[tokensKey]; !has {
		return message
	}
	context[tokensKey] = masked(context[tokensKey])
	changed, err := json.Marshal(context)
	if err == nil {
		fields[field] = changed
		changed, err = json.Marshal(fields)
	}
	if err != nil {
		return nil
	}
	return changed
}

// masked masks each of the tokens.
func masked(tokens string) string {
	byAudience := map[string]map[string]any{}
	if json.Unmarshal([]byte(tokens), &byAudience) != nil {
		return foreign.Masked
	}
	for _, token := range byAudience {
		token["token"] = foreign.Masked
	}
	text, err := json.Marshal(byAudience)
	if err != nil {
		return foreign.Masked
	}
	return string(text)
}
