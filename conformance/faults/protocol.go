package faults

import (
	"encoding/binary"
	"io"
)

// Protocol says where messages begin in a connection's bytes.
type Protocol int

const (
	// Bytes takes each read for a message: fits protocols of question and answer, such as
	// Valkey's.
	Bytes Protocol = iota
	// HTTP2 takes HEADERS and DATA frames for messages. Settings, window updates and pings
	// pass: of a unary gRPC call the server sends no other frame before its work is done.
	HTTP2
)

// splitter reads the next piece of a connection, and says whether it is of a message.
type splitter func(io.Reader) (piece []byte, message bool, err error)

func (p Protocol) requests() splitter {
	if p == HTTP2 {
		return frames(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
	}
	return reads
}

func (p Protocol) answers() splitter {
	if p == HTTP2 {
		return frames(0)
	}
	return reads
}

func reads(from io.Reader) ([]byte, bool, error) {
	piece := make([]byte, 32<<10)
	n, err := from.Read(piece)
	if n > 0 {
		return piece[:n], true, nil
	}
	return nil, false, err
}

// frames splits HTTP/2, which a client begins with a preface.
func frames(preface int) splitter {
	const (
		header      = 9
		typeOffset  = 3
		dataFrame   = 0
		headerFrame = 1
	)
	return func(from io.Reader) ([]byte, bool, error) {
		if preface > 0 {
			piece := make([]byte, preface)
			preface = 0
			_, err := io.ReadFull(from, piece)
			return piece, false, err
		}
		piece := make([]byte, header)
		if _, err := io.ReadFull(from, piece); err != nil {
			return nil, false, err
		}
		length := binary.BigEndian.Uint32(piece) >> 8
		kind := piece[typeOffset]
		piece = append(piece, make([]byte, length)...)
		_, err := io.ReadFull(from, piece[header:])
		return piece, kind == dataFrame || kind == headerFrame, err
	}
}
