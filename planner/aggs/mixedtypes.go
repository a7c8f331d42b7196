package aggs

import (
	"postern/internal/eserr"
	"postern/internal/mapping"
)

// mixedTypes is the error of terms of a field that is text in one index and numbers in
// another.
func mixedTypes(name string) *eserr.Error {
	return eserr.IllegalArgument("Merging/Reducing the aggregations failed when computing the aggregation [%s] because the field you gave in the aggregation query existed as two different types in two different indices", name)
}

// incomparable is the error of keys that two indices have different classes of; nil if
// they have the same.
func incomparable(a, b *values) *eserr.Error {
	x, y := a.class(), b.class()
	if a.hasNothing() || b.hasNothing() || x == y {
		return nil
	}
	return eserr.ClassCast(x, y)
}

// class is the Java class of a key.
func (v *values) class() string {
	switch v.as {
	case mapping.KindLong:
		return "java.lang.Long"
	case mapping.KindDouble:
		return "java.lang.Double"
	}
	return "org.apache.lucene.util.BytesRef"
}
