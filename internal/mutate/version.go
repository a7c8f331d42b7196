package mutate

import (
	"postern/internal/eserr"
	"postern/internal/metadata"
	"postern/internal/store"
)

// nextVersion holds an operation's conditions against what is there and gives the version
// that the document will have.
func (o *Op) nextVersion(ix *metadata.Index, prior store.Prior) (int64, error) {
	if o.IfSeqNo != nil {
		term := int64(0)
		if o.IfPrimaryTerm != nil {
			term = *o.IfPrimaryTerm
		}
		switch {
		case !prior.Found:
			return 0, eserr.SeqNoMissing(ix.Name, ix.UUID, o.ID, *o.IfSeqNo, term)
		case prior.SeqNo != *o.IfSeqNo || prior.PrimaryTerm != term:
			return 0, eserr.SeqNoConflict(ix.Name, ix.UUID, o.ID, *o.IfSeqNo, term, prior.SeqNo, prior.PrimaryTerm)
		}
	}
	if o.Action == Create && prior.Found {
		return 0, eserr.DocumentExists(ix.Name, ix.UUID, o.ID, prior.Version)
	}
	known := prior.Found || prior.Tombstone
	if o.VersionType == Internal || o.Version == nil {
		if known {
			return prior.Version + 1, nil
		}
		return 1, nil
	}
	if known && (prior.Version > *o.Version || o.VersionType == External && prior.Version == *o.Version) {
		return 0, eserr.VersionConflict(ix.Name, ix.UUID, o.ID, prior.Version, *o.Version, o.VersionType == External)
	}
	return *o.Version, nil
}
