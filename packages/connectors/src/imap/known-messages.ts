import { hash } from 'node:crypto';
import type { EstimateRequest } from '../sdk/connector.ts';
import type { JsonObject } from '../sdk/json.ts';
import { storable } from '../sdk/storable.ts';
import { type MailboxRef, recordId } from './mail-columns.ts';
import { isUid } from './uid-set.ts';

/** Largest number of flags in a record, and longest flag. */
const MAX_FLAGS = 200;
const MAX_FLAG_LENGTH = 200;
/** Longer flags are compared by their hash. */
const MAX_KEY_LENGTH = 100;
/** Place of a message's flags while they are unknown. */
const UNKNOWN = -1;

const SYSTEM_FLAGS = ['\\Answered', '\\Flagged', '\\Deleted', '\\Seen', '\\Draft', '\\Recent'];

/** Returns a flag with the RFC's spelling if it is a system flag; servers write those in any case. */
function flagName(flag: string): string {
  return SYSTEM_FLAGS.find((name) => name.toLowerCase() === flag.toLowerCase()) ?? flag;
}

/** Returns the flags that a record has. */
export function recordFlags(flags: Iterable<string> | undefined): string[] {
  return [...new Set([...(flags ?? [])].map(flagName))]
    .filter((flag) => flag !== '\\Recent' && flag.length <= MAX_FLAG_LENGTH)
    .slice(0, MAX_FLAGS)
    .map(storable)
    .sort();
}

/** Returns a text that is equal for equal flags of a record. */
function keyOf(flags: readonly string[]): string {
  const key = [...new Set(flags.map((flag) => flag.toLowerCase()))].sort().join(' ');
  return key.length > MAX_KEY_LENGTH ? hash('sha1', key, 'base64') : key;
}

/** Returns a text that is equal for equal flags; undefined when the server did not send them. */
export function flagsKey(flags: Iterable<string> | undefined): string | undefined {
  return flags && keyOf(recordFlags(flags));
}

/** What is stored of a message: the key of its flags if they are known, and its arrival, ms since 1970. */
export interface KnownMessage {
  flags: string | undefined;
  time: number;
}

/** The stored messages of a mailbox as arrays, which are sent to the session thread without a copy of each. */
export interface KnownMessages {
  uids: Uint32Array<ArrayBuffer>;
  /** Place of the flags of each in `keys`. */
  flags: Int32Array<ArrayBuffer>;
  times: Float64Array<ArrayBuffer>;
  keys: string[];
}

/** Numbers the distinct keys of flags. */
class Keys {
  readonly #places = new Map<string, number>();

  placeOf(flags: unknown): number {
    if (!Array.isArray(flags)) return UNKNOWN;
    const key = keyOf(flags as string[]);
    const place = this.#places.get(key) ?? this.#places.size;
    this.#places.set(key, place);
    return place;
  }

  get all(): string[] {
    return [...this.#places.keys()];
  }
}

/** Reads what is stored of the messages of a mailbox. */
export async function knownMessages(
  { stored }: Pick<EstimateRequest, 'stored'>,
  mailboxRef: MailboxRef,
): Promise<KnownMessages> {
  const prefix = storable(recordId(mailboxRef, 0)).slice(0, -1);
  const uids: number[] = [];
  const flags: number[] = [];
  const times: number[] = [];
  const keys = new Keys();
  const add = (id: string, columns: JsonObject) => {
    const uid = id.startsWith(prefix) ? Number(id.slice(prefix.length)) : 0;
    if (!isUid(uid)) return;
    uids.push(uid);
    flags.push(keys.placeOf(columns.flags));
    times.push(Date.parse(String(columns.received_at)) || 0);
  };
  for await (const records of stored(['flags', 'received_at']))
    for (const { id, columns } of records) add(id, columns);
  return {
    uids: Uint32Array.from(uids),
    flags: Int32Array.from(flags),
    times: Float64Array.from(times),
    keys: keys.all,
  };
}

/** Returns the stored messages by UID. */
export function byUid({ uids, flags, times, keys }: KnownMessages): Map<number, KnownMessage> {
  return new Map(
    Array.from(uids, (uid, at) => [uid, { flags: keys[flags[at] ?? UNKNOWN], time: times[at] ?? 0 }]),
  );
}
