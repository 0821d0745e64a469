import { createPrivateKey, sign } from 'node:crypto';
import type { Cbor } from './software-authenticator.ts';

/** A self-signed certificate of an authenticator's maker, DER: subject `C=SE, O=Test, OU=Authenticator Attestation`. */
const CERTIFICATE =
  'MIIB8jCCAZigAwIBAgIUVzfUyVFV4umpKKBfDhtuf6LYcaswCgYIKoZIzj0EAwIwTzELMAkGA1UEBhMCU0UxDTALBgNV' +
  'BAoMBFRlc3QxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNVBAMMBFRlc3QwIBcNMjYxMTI4' +
  'MTExNzQwWhgPMjEyNjExMDQxMTE3NDBaME8xCzAJBgNVBAYTAlNFMQ0wCwYDVQQKDARUZXN0MSIwIAYDVQQLDBlBdXRo' +
  'ZW50aWNhdG9yIEF0dGVzdGF0aW9uMQ0wCwYDVQQDDARUZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAERitG1X1c' +
  'nymIOW6n73uGBKvDCVvithf1MNuo7m+OkyJmMgoWq5xgvfBkm1aLpcbwhknPcrgow+IW0aimQkp6nqNQME4wHQYDVR0O' +
  'BBYEFH7CwcUdPVqszlSzgQVow0252Ov6MB8GA1UdIwQYMBaAFH7CwcUdPVqszlSzgQVow0252Ov6MAwGA1UdEwEB/wQC' +
  'MAAwCgYIKoZIzj0EAwIDSAAwRQIgV4U11+U1TiuwynZnbHzOth5QG6OeuPa4rMkv6CZWIJYCIQD8cc8fZht3873zIj8J' +
  '7iPrjd4Jk4I+fUoc7xcSDDCObw==';
/** Its private key, PKCS #8. */
const KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgMLslOc+YrQT0kIqhJPgVbuDkfme1eSJXXpIcJHK+yOuh' +
  'RANCAARGK0bVfVyfKYg5bqfve4YEq8MJW+K2F/Uw26jub46TImYyCharnGC98GSbVoulxvCGSc9yuCjD4hbRqKZCSnqe';

/** Attests a passkey by the certificate, as authenticators do for sites that ask for it. */
export function attestByCertificate(signed: Buffer): { fmt: string; attStmt: Map<string, Cbor> } {
  const key = createPrivateKey({ key: Buffer.from(KEY, 'base64'), format: 'der', type: 'pkcs8' });
  const attStmt = new Map<string, Cbor>([
    ['alg', -7],
    ['sig', sign('sha256', signed, key)],
    ['x5c', [Buffer.from(CERTIFICATE, 'base64')]],
  ]);
  return { fmt: 'packed', attStmt };
}
