import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type {
  NewCredential,
  PasskeyCreationOptions,
  PasskeyProof,
  PasskeyRequestOptions,
} from '@datadeck/contract';

/** What an authenticator or a browser does differently from what was asked. */
export interface Deviation {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** Bits of the authenticator data: 1 user present, 4 user verified, 8 can be backed up, 16 backed up. */
  flags?: number;
  /** Signature counter. Default: 0, as authenticators answer that do not count. */
  counter?: number;
  /** Id of the account in the proof. */
  userHandle?: string;
  /** Attests the passkey; what it signs are the given bytes. */
  attestation?: (signed: Buffer) => Attestation;
  isCrossOrigin?: boolean;
}

interface Attestation {
  fmt: string;
  attStmt: Map<string, Cbor>;
}

export type Cbor = number | string | Buffer | Cbor[] | Map<number | string, Cbor>;

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

/** Encodes a value as CBOR. */
export function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)]);
  const members = [...value].flatMap(([key, member]) => [encodeCbor(key), encodeCbor(member)]);
  return Buffer.concat([head(5, value.size), ...members]);
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url');

/** User present and verified, as a passkey of one device. */
export const VERIFIED = 1 | 4;
const HAS_CREDENTIAL = 64;

/** An authenticator with one ES256 passkey, which answers wrongly on request. */
export class SoftwareAuthenticator {
  readonly #origin: string;
  readonly #id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #userHandle = '';

  /** @param origin of the page that asks */
  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Signs with the key of the passkey. */
  sign(data: Buffer): Buffer {
    return sign('sha256', data, this.#keys.privateKey);
  }

  get id(): string {
    return base64url(this.#id);
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const { origin = this.#origin, isCrossOrigin = false } = deviation;
    const data = {
      type: deviation.type ?? type,
      challenge: deviation.challenge ?? challenge,
      origin,
      crossOrigin: isCrossOrigin,
      ...(isCrossOrigin && { topOrigin: 'https://framing.example' }),
    };
    return Buffer.from(JSON.stringify(data));
  }

  #authenticatorData(rpId: string, added: number, deviation: Deviation): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(deviation.counter ?? 0);
    const flags = Buffer.from([(deviation.flags ?? VERIFIED) | added]);
    return Buffer.concat([sha256(deviation.rpId ?? rpId), flags, counter]);
  }

  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const bytes = (text: string) => Buffer.from(text, 'base64url');
    // COSE: EC2 key, ES256, P-256.
    return encodeCbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]),
    );
  }

  /** Makes the passkey, as `navigator.credentials.create()` does. */
  create(options: PasskeyCreationOptions, deviation: Deviation = {}): NewCredential {
    this.#userHandle = options.user.id;
    const length = Buffer.from([0, this.#id.length]);
    const authData = Buffer.concat([
      this.#authenticatorData(options.rp.id, HAS_CREDENTIAL, deviation),
      Buffer.alloc(16),
      length,
      this.#id,
      this.#publicKey(),
    ]);
    const clientData = this.#clientData('webauthn.create', options.challenge, deviation);
    const { attestation = (): Attestation => ({ fmt: 'none', attStmt: new Map() }) } = deviation;
    const { fmt, attStmt } = attestation(Buffer.concat([authData, sha256(clientData)]));
    const attestationObject = encodeCbor(
      new Map<string, Cbor>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ]),
    );
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      },
    };
  }

  /** Proves the passkey, as `navigator.credentials.get()` does. @param key signs instead of the passkey's own key */
  get(
    options: PasskeyRequestOptions,
    deviation: Deviation = {},
    key: KeyObject = this.#keys.privateKey,
  ): PasskeyProof {
    const clientData = this.#clientData('webauthn.get', options.challenge, deviation);
    const authenticatorData = this.#authenticatorData(options.rpId, 0, deviation);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), key);
    const { userHandle } = deviation;
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle: userHandle === undefined ? this.#userHandle : base64url(userHandle),
      },
    };
  }
}
