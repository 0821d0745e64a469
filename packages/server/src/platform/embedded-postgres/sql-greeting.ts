/** Longest startup message of PostgreSQL's protocol, bytes, as the server limits it. */
const MAX_LENGTH = 10_000;
const CANCEL = 80_877_102;
/** Requests of TLS and of GSSAPI. */
const ENCRYPTION = [80_877_103, 80_877_104];
/** Protocol versions 3.0 to 3.65535. */
const VERSION = 3;

/** What the first message of a client asks for. Names are those with which PostgreSQL would look up the session. */
export type Greeting =
  | 'incomplete'
  | 'wrong'
  | 'encryption'
  | { isCancel: boolean; user: string; database: string };

/**
 * Reads the first message of a client of PostgreSQL (protocol 3, "StartupMessage", "CancelRequest", "SSLRequest",
 * "GSSENCRequest"). @param bytes all that the client sent so far
 */
export function readGreeting(bytes: Buffer): Greeting {
  if (bytes.length < 8) return 'incomplete';
  const length = bytes.readInt32BE(0);
  const code = bytes.readInt32BE(4);
  if (length < 8 || length > MAX_LENGTH) return 'wrong';
  if (ENCRYPTION.includes(code)) return length === 8 ? 'encryption' : 'wrong';
  if (bytes.length < length) return 'incomplete';
  if (code === CANCEL) return { isCancel: true, user: '', database: '' };
  if (code >>> 16 !== VERSION) return 'wrong';
  const words = bytes.subarray(8, length).toString('latin1').split('\0');
  const values = new Map<string, string>();
  for (let at = 0; words[at]; at += 2) values.set(words[at] ?? '', words[at + 1] ?? '');
  const user = values.get('user') ?? '';
  return { isCancel: false, user, database: values.get('database') || user };
}
