// Package mutate is the one place that every change goes through: writes of documents,
// and changes of indices, mappings, settings, aliases and templates. It holds their order,
// their versions and conflicts, the creation of indices and fields on the way, and the
// fence: begin, then the store, then complete.
package mutate
