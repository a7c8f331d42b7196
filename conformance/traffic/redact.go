package traffic

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"

	"postern/conformance/jsontree"
	"postern/conformance/recording"
)

// redacted stands where a credential stood. It is long enough to be taken as a password.
const redacted = "redacted"

// namedHeaders are the request headers that a recording keeps, because answers depend on
// them. All others go, and credentials of whatever name with them.
var namedHeaders = [...]string{"Accept", "Content-Type", "Content-Encoding", "X-Opaque-Id"}

func keptHeaders(q recording.Request) []recording.Header {
	var list []recording.Header
	for _, name := range namedHeaders {
		i := slices.IndexFunc(q.Headers, func(h recording.Header) bool { return strings.EqualFold(h.Name, name) })
		value := ""
		if i >= 0 {
			value = q.Headers[i].Value
		}
		switch {
		case name == "Content-Type" && q.Body != nil && value == recording.DefaultContentType(q.Target):
		case name == "Accept" && value == "*/*": // says nothing
		case value != "" || name == "Content-Type" && q.Body != nil:
			list = append(list, recording.Header{Name: name, Value: value})
		}
	}
	return list
}

// secretMember matches the names of members that hold credentials in administrative requests
// and answers.
var secretMember = regexp.MustCompile(`(?i)^(.*[._-])?(password|password_hash|passphrase|secret|secret_key|access_key|private_key|api_key|encoded|access_token|refresh_token|token|client_secret|sas_token|service_account|authorization|credentials)$`)

// documentPaths begin requests whose bodies are the application's own data and questions,
// where a member called password is a field like any other.
var documentPaths = [...]string{"_search", "_msearch", "_bulk", "_mget", "_count", "_async_search", "_field_caps", "_analyze", "_pit", "_mtermvectors"}

func administrative(target string) bool {
	first := segments(target)[0]
	return strings.HasPrefix(first, "_") && !slices.Contains(documentPaths[:], first)
}

// secrets are the credentials that were seen, to find them again in other places.
type secrets map[string]bool

// shortestSecret keeps a short password from being found in innocent words.
const shortestSecret = 12

func (s secrets) add(value string) {
	if len(value) >= shortestSecret {
		s[value] = true
	}
}

// authorization notes what a header carries.
func (s secrets) authorization(value string) {
	_, credentials, _ := strings.Cut(value, " ")
	s.add(credentials)
	if plain, err := base64.StdEncoding.DecodeString(credentials); err == nil {
		_, password, _ := strings.Cut(string(plain), ":")
		s.add(password)
	}
}

// hide replaces credentials that have been seen anywhere in text.
func (s secrets) hide(text string) string {
	for secret := range s {
		text = strings.ReplaceAll(text, secret, redacted)
	}
	return text
}

// body returns body, JSON of an administrative request or answer, without its credentials,
// and where they stood.
func (s secrets) body(body []byte) ([]byte, []jsontree.Path) {
	v, err := jsontree.Parse(body)
	if err != nil {
		return body, nil
	}
	var places []jsontree.Path
	v = jsontree.Map(v, func(at []string, v jsontree.Value) jsontree.Value {
		value, ok := v.(string)
		if !ok || len(at) == 0 || !secretMember.MatchString(at[len(at)-1]) {
			return v
		}
		s.add(value)
		places = append(places, slices.Clone(at))
		return redacted
	})
	if places == nil {
		return body, nil
	}
	return []byte(jsontree.Compact(v)), places
}
