import type { NewCredential, PasskeyProof } from '@datadeck/contract';
import type { NewPasskey, StoredPasskey } from './passkeys.ts';
import type { RelyingParty } from './relying-party.ts';

/** COSE numbers of the accepted signatures: Ed25519, ES256, RS256. Authenticators choose the first that they know. */
export const ALGORITHMS = [-8, -7, -257] as const;

/** Loads the library at the first use: it takes 26 MB, and most servers never need it. */
const loadLibrary = () => import('@simplewebauthn/server');

/** What a verification expects of an answer. */
export interface Expected {
  relyingParty: RelyingParty;
  /** base64url, as in the options. */
  challenge: string;
}

function expectationsOf({ relyingParty, challenge }: Expected) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
  };
}

/**
 * Requires that an authenticator sent no certificates. The options ask for none, and their verification parses what a stranger
 * wrote and requests lists of revoked ones.
 */
async function refuseCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  const isPlain =
    format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  if (!isPlain) throw new Error(`the attestation ${format} was not asked for`);
}

/**
 * Verifies a new credential: challenge, origin, RP id, user verification.
 * @throws Error when it is not valid
 */
export async function verifyNewCredential(
  credential: NewCredential,
  expected: Expected,
): Promise<Omit<NewPasskey, 'name'>> {
  await refuseCertificates(credential.response.attestationObject);
  const { verifyRegistrationResponse } = await loadLibrary();
  const { transports = [], ...response } = credential.response;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    ...expectationsOf(expected),
    response: { ...credential, response, clientExtensionResults: {} },
    supportedAlgorithmIDs: [...ALGORITHMS],
  });
  if (!verified) throw new Error('the attestation is not valid');
  const { id, publicKey, counter } = registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey),
    counter,
    transports,
    isBackedUp: registrationInfo.credentialBackedUp,
  };
}

/**
 * Verifies the proof of a passkey: challenge, origin, RP id, user verification, signature. The caller compares the counter.
 * @throws Error when it is not valid
 */
export async function verifyProof(
  proof: PasskeyProof,
  { credentialId, publicKey }: StoredPasskey,
  expected: Expected,
): Promise<Pick<StoredPasskey, 'counter' | 'isBackedUp'>> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...expectationsOf(expected),
    response: { ...proof, clientExtensionResults: {} },
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
  });
  if (!verified) throw new Error('the signature is not valid');
  return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp };
}
