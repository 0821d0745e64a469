import { createHash, createSign, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

interface SigningKey {
  id: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** A public key as it is published. */
export type PublishedKey = JsonWebKey & { kid: string; use: 'sig'; alg: 'RS256' };

/** The RS256 keys of the issuer: made when first needed, so that the start costs nothing; the last two are published. */
export class SigningKeys {
  #keys: Promise<SigningKey[]> | undefined;

  /** The JSON Web Key Set. */
  async published(): Promise<{ keys: PublishedKey[] }> {
    const keys = await this.#current();
    return {
      keys: keys.map((key) => ({
        ...key.publicKey.export({ format: 'jwk' }),
        kid: key.id,
        use: 'sig',
        alg: 'RS256',
      })),
    };
  }

  /** A signed JSON Web Token. With `forge` the signature is made by a key that is never published. */
  async sign(claims: Record<string, unknown>, forge = false): Promise<string> {
    const [newest] = await this.#current();
    if (!newest) throw new Error('No signing key');
    const signer = forge ? await makeKey() : newest;
    const header = { alg: 'RS256', kid: newest.id, typ: 'JWT' };
    const text = `${encode(header)}.${encode(claims)}`;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(signer.privateKey, 'base64url')}`;
  }

  /** Puts a new key first; the one before stays published, older ones go. */
  async rotate(): Promise<void> {
    const keys = await this.#current();
    this.#keys = Promise.resolve([await makeKey(), ...keys.slice(0, 1)]);
  }

  #current(): Promise<SigningKey[]> {
    this.#keys ??= makeKey().then((key) => [key]);
    return this.#keys;
  }
}

async function makeKey(): Promise<SigningKey> {
  const pair = await generate('rsa', { modulusLength: 2048 });
  const id = createHash('sha1')
    .update(pair.publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  return { id, ...pair };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
