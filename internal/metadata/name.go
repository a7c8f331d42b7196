package metadata

import (
	"strings"

	"postern/internal/eserr"
)

const maxNameBytes = 255

// badCharacters is how Elasticsearch lists them; its order is another one at each start.
const badCharacters = `must not contain the following characters ['?','>','|',',','/','\',' ','"','<','*']`

// validName says what is wrong with the name of an index or an alias, or nothing.
func validName(name string) string {
	switch {
	case name == "":
		return "must not be empty"
	case strings.ContainsAny(name, `*?>|,/\ "<`):
		return badCharacters
	case strings.Contains(name, "#"):
		return "must not contain '#'"
	case strings.Contains(name, ":"):
		return "must not contain ':'"
	case strings.IndexByte("_-+", name[0]) >= 0:
		return "must not start with '_', '-', or '+'"
	case len(name) > maxNameBytes:
		return "index name is too long, (" + itoa(len(name)) + " > " + itoa(maxNameBytes) + ")"
	case name == "." || name == "..":
		return "must not be '.' or '..'"
	}
	return ""
}

// ValidateIndexName checks a name that an index shall have.
func ValidateIndexName(name string) error {
	wrong := validName(name)
	if wrong == "" && strings.ToLower(name) != name {
		wrong = "must be lowercase"
	}
	if wrong != "" {
		return eserr.InvalidIndexName(name, wrong)
	}
	return nil
}

// validateNewIndex checks that an index of that name may be made.
func (s *State) validateNewIndex(name string) error {
	if err := ValidateIndexName(name); err != nil {
		return err
	}
	if ix := s.indices[name]; ix != nil {
		return eserr.IndexExists(ix.Name, ix.UUID)
	}
	if s.aliases[name] != nil {
		return eserr.InvalidIndexName(name, "already exists as alias")
	}
	return nil
}

// validateAliasName checks a name that an alias shall have.
func (s *State) validateAliasName(name string) error {
	if strings.TrimSpace(name) == "" {
		return eserr.IllegalArgument("alias name is required")
	}
	if wrong := validName(name); wrong != "" {
		return eserr.InvalidAliasName(name, wrong)
	}
	if s.indices[name] != nil {
		return eserr.InvalidAliasName(name, "an index or data stream exists with the same name as the alias")
	}
	return nil
}
