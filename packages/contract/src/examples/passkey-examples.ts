import { defineExamples } from './example.ts';
import { IDS, OK } from './objects.ts';

const PASSKEY = {
  _id: IDS.passkey,
  name: 'Phone',
  createdAt: '2026-11-25T08:00:00.000Z',
  lastUsedAt: '2026-11-26T07:30:00.000Z',
  isBackedUp: true,
} as const;
const CREDENTIAL_ID = 'p7mZ1kQ0c3Yb9wTq2XhV5g';
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';
const CHALLENGE = 'bGluay1xMm41';

/** Examples of passkeys. */
export const PASSKEY_EXAMPLES = defineExamples({
  passkeys: { response: { passkeys: [PASSKEY], origin: 'https://data.example.org' } },
  startPasskey: {
    response: {
      challenge: CHALLENGE,
      rp: { id: 'data.example.org', name: 'Datadeck' },
      user: { id: 'MGIxZjZhNTI', name: 'ada@example.org', displayName: 'Ada Nowak' },
      pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
      timeout: 120_000,
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    },
  },
  addPasskey: {
    body: {
      name: PASSKEY.name,
      credential: {
        id: CREDENTIAL_ID,
        rawId: CREDENTIAL_ID,
        type: 'public-key',
        response: {
          clientDataJSON: CLIENT_DATA,
          attestationObject: 'o2NmbXRkbm9uZQ',
          transports: ['internal'],
        },
      },
    },
    response: { ...PASSKEY, lastUsedAt: null },
  },
  renamePasskey: { params: { id: IDS.passkey }, body: { name: 'New phone' }, response: OK },
  removePasskey: { params: { id: IDS.passkey }, response: OK },
  startPasskeySignIn: {
    response: {
      challenge: CHALLENGE,
      rpId: 'data.example.org',
      timeout: 120_000,
      userVerification: 'required',
    },
  },
  signInWithPasskey: {
    body: {
      credential: {
        id: CREDENTIAL_ID,
        rawId: CREDENTIAL_ID,
        type: 'public-key',
        response: {
          clientDataJSON: CLIENT_DATA,
          authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
          signature: 'MEUCIQDx',
          userHandle: 'MGIxZjZhNTI',
        },
      },
    },
    response: { token: 'q2n5…' },
  },
});
