import { createHash, createSign, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

interface SigningKey {
  id: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** A public key in its published form. */
export type PublishedKey = JsonWebKey & { kid: string; use: 'sig'; alg: 'RS256' };

/** The RS256 keys of the issuer, created on first use so that the start stays fast; the last two are published. */
export class SigningKeys {
  #keys: Promise<SigningKey[]> | undefined;

  /** Returns the JSON Web Key Set. */
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

  /** Returns a signed JSON Web Token. */
  async sign(claims: Record<string, unknown>): Promise<string> {
    const [newest] = await this.#current();
    if (!newest) throw new Error('No signing key');
    const header = { alg: 'RS256', kid: newest.id, typ: 'JWT' };
    const text = `${encode(header)}.${encode(claims)}`;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(newest.privateKey, 'base64url')}`;
  }

  /** Adds a new key in first position; the previous one stays published, older ones are removed. */
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
