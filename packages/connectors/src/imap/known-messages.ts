import { hash } from 'node:crypto';
import type { FetchMessageObject } from 'imapflow';
import { z } from 'zod';
import { readUidSet, writeUidSet } from './uid-set.ts';

/** Stored messages as saved in cursors: UID sets by fingerprint, e.g. `{ "2jmj7l5rSw0y": "1:40,42" }`. */
export const savedMessagesSchema = z.record(z.string(), z.string());
export type SavedMessages = z.infer<typeof savedMessagesSchema>;

/** Fingerprint of a message that the next run requests again, because the server did not send all of it. */
export const ASK_AGAIN = '';
/** Fingerprint of a stored message that the server listed without its flags. */
export const WITHOUT_FLAGS = '-';
const FINGERPRINT_LENGTH = 12;
const RECENT = '\\recent';

/**
 * Returns a short text that changes when the flags of a message change.
 * @param isNumbered whether UIDs are stable; otherwise date and size are included, to notice another message of that UID
 * @returns undefined when the server did not send the flags
 */
export function fingerprintOf(message: FetchMessageObject, isNumbered: boolean): string | undefined {
  const { flags, internalDate, size } = message;
  if (!flags) return undefined;
  const names = [...flags].map((flag) => flag.toLowerCase()).filter((flag) => flag !== RECENT);
  const identity = isNumbered ? [] : [String(internalDate), String(size)];
  return hash('sha1', JSON.stringify([names.sort(), identity]), 'base64').slice(0, FINGERPRINT_LENGTH);
}

/** The stored messages of a mailbox with the fingerprints that they were stored with. */
export class KnownMessages {
  readonly #fingerprints = new Map<number, string>();

  constructor(saved: SavedMessages = {}) {
    for (const [fingerprint, uids] of Object.entries(saved))
      for (const uid of readUidSet(uids)) this.#fingerprints.set(uid, fingerprint);
  }

  get size(): number {
    return this.#fingerprints.size;
  }

  get(uid: number): string | undefined {
    return this.#fingerprints.get(uid);
  }

  has(uid: number): boolean {
    return this.#fingerprints.has(uid);
  }

  set(uid: number, fingerprint: string): void {
    this.#fingerprints.set(uid, fingerprint);
  }

  delete(uid: number): void {
    this.#fingerprints.delete(uid);
  }

  uids(): number[] {
    return [...this.#fingerprints.keys()];
  }

  save(): SavedMessages {
    const groups = Map.groupBy(this.#fingerprints, ([, fingerprint]) => fingerprint);
    return Object.fromEntries(
      [...groups].map(([fingerprint, entries]) => [fingerprint, writeUidSet(entries.map(([uid]) => uid))]),
    );
  }
}
