package corpus

const vocabularySize = 4096

// vocabulary is 4,096 pronounceable words, all different and none a stop word: three
// syllables of sixteen each.
func vocabulary() []string {
	syllables := [16]string{"ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "vu", "za"}
	words := make([]string, vocabularySize)
	for i := range words {
		// Multiplied by an odd number, so that frequent words do not all begin alike.
		n := i * 1_229 % vocabularySize
		words[i] = syllables[n>>8] + syllables[n>>4&15] + syllables[n&15]
	}
	return words
}
