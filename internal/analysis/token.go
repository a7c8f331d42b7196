package analysis

// Token is one term of an analysed text.
type Token struct {
	Term string
	// Position counts from 0 within one text.
	Position int
	// Start and End are offsets in UTF-16 code units of the original text.
	Start, End int
	// Type is the tokenizer's class of the token: <ALPHANUM>, <NUM>, word and so on.
	Type string
}
