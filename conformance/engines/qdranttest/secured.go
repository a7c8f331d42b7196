package qdranttest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"postern/conformance/engines"
)

// StartSecured gives the test a stand-in that speaks TLS and wants an API key. Its
// certificate, a file, is its own authority: SSL_CERT_FILE makes a process trust it.
func StartSecured(t testing.TB, apiKey string) (s *Server, certificate string) {
	t.Helper()
	certificate, key := selfSigned(t)
	return start(t, engines.Qdrant{APIKey: apiKey, Certificate: certificate, PrivateKey: key}), certificate
}

// selfSigned writes a certificate for 127.0.0.1 and its key.
func selfSigned(t testing.TB) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	return writePEM(t, folder, "CERTIFICATE", der), writePEM(t, folder, "PRIVATE KEY", secret)
}

func writePEM(t testing.TB, folder, kind string, der []byte) string {
	t.Helper()
	file := filepath.Join(folder, kind+".pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
