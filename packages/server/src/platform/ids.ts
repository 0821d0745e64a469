import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** A new identifier of a stored thing: a UUID. */
export function newId(): string {
  return randomUUID();
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text of a request can be an identifier of ours; the database refuses to compare anything else. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** 256 random bits, base64url: session tokens, states, verifiers. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 in hex: how secrets are stored that only need to be recognised. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
