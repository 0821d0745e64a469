import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** Returns a new id for a stored object: a UUID. */
export function newId(): string {
  return randomUUID();
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns whether a text is a UUID; the database rejects comparisons with anything else. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** Returns a UUID from its 32 hexadecimal digits. Other texts are returned unchanged, and are no id. */
export function idOfDigits(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns 256 random bits in base64url, for session tokens, states and verifiers. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 in hex, used to store secrets that only need to be compared. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
