package transport

import (
	"strings"

	"postern/internal/eserr"
)

// format is a form of bodies.
type format uint8

const (
	noFormat format = iota // not said, or not known
	jsonFormat
	yamlFormat
	ndjsonFormat
	textFormat
	cborFormat
	smileFormat
)

// mediaType is a parsed Content-Type or Accept.
type mediaType struct {
	raw     string // as the client wrote it
	name    string // type/subtype, without parameters
	format  format
	params  string // ";charset=utf-8", as they are echoed
	version string // compatible-with
}

// vendor begins the subtypes of Elasticsearch's own types.
const vendor = "application/vnd.elasticsearch+"

var formats = map[string]format{
	"application/json": jsonFormat, vendor + "json": jsonFormat,
	"application/yaml": yamlFormat, vendor + "yaml": yamlFormat,
	"application/x-ndjson": ndjsonFormat, vendor + "x-ndjson": ndjsonFormat,
	"application/cbor": cborFormat, vendor + "cbor": cborFormat,
	"application/smile": smileFormat, vendor + "smile": smileFormat,
	"text/plain": textFormat, vendor + "text": textFormat,
}

// parseMediaType reads a header as Elasticsearch does. Ranges (*/*) and lists say
// nothing; types that are not known are no error.
func parseMediaType(header, value string) (mediaType, error) {
	m := mediaType{raw: value}
	trimmed := strings.TrimSpace(value)
	switch trimmed {
	case "", "*/*":
		return m, nil
	case "application/json": // what most clients send
		m.name, m.format = trimmed, jsonFormat
		return m, nil
	}
	if strings.Contains(value, ",") {
		return m, nil
	}
	name, params, _ := strings.Cut(value, ";")
	m.name = strings.ToLower(strings.TrimSpace(name))
	major, minor, ok := strings.Cut(m.name, "/")
	if !ok || !token(major) || !token(minor) {
		return m, eserr.MediaType(header, eserr.IllegalArgument("invalid media-type [%s]", value))
	}
	m.format = formats[m.name]
	for params != "" {
		var param string
		param, params, _ = strings.Cut(params, ";")
		if param = strings.TrimSpace(param); param == "" {
			continue
		}
		k, v, ok := strings.Cut(param, "=")
		if !ok || strings.ContainsAny(param, " \t") || k == "" || v == "" {
			return m, eserr.MediaType(header, eserr.IllegalArgument("invalid parameters for header [%s]", value))
		}
		k, v = strings.ToLower(k), strings.ToLower(v)
		m.params += ";" + k + "=" + v
		if k == "compatible-with" && strings.HasPrefix(m.name, vendor) {
			m.version = v
		}
	}
	return m, nil
}

// token says whether s may stand in a media type.
func token(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("!#$%&'*+.^_`|~-", c) >= 0 {
			continue
		}
		return false
	}
	return s != ""
}

// checkVersions holds Elasticsearch's rules for compatible-with: a known version, and
// the same one on both headers when there is a body. 7, 8 and 9 are taken; no
// version's semantics but those of 8 are served.
func checkVersions(contentType, accept mediaType, body bool) error {
	const both = "Content-Type, Accept"
	known := func(v string) bool { return v == "" || v == "7" || v == "8" || v == "9" }
	refuse := func(reason string) error {
		return eserr.MediaType(both, eserr.StatusException(400, reason))
	}
	if !known(accept.version) {
		return refuse("Accept version must be either version 9, 8 or 7, but found " + accept.version + ". Accept=" + accept.raw)
	}
	if !body {
		return nil
	}
	if !known(contentType.version) {
		return refuse("Content-Type version must be either version 9, 8 or 7, but found " + contentType.version + ". Content-Type=" + contentType.raw)
	}
	if contentType.version == accept.version {
		return nil
	}
	shown := accept.raw
	if shown == "" {
		shown = "null"
	}
	reason := "A compatible version is required on both Content-Type and Accept headers if either one has requested a compatible version"
	if contentType.version != "" && accept.version != "" {
		reason += " and the compatible versions must match"
	}
	return refuse(reason + ". Accept=" + shown + ", Content-Type=" + contentType.raw)
}
