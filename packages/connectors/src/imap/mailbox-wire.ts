/** Mailbox names as servers list them and as users read them. Runs in the session thread. */
import { decodePath, encodePath } from 'imapflow/lib/tools.js';
import type { BoundedImap } from './bounded-imap.ts';

/** Names that are the same in every encoding; no LIST is needed to find out how the server writes them. */
const PLAIN = /^[\x20-\x25\x27-\x7e]*$/;
const LIST_BYTES = 2 * 1024 * 1024;

/**
 * Returns the readable name of a listed mailbox. A name that is not valid modified UTF-7 (RFC 3501, 5.1.3), e.g. `R&D`, is
 * returned as listed, because decoding would change it.
 * @param listed the name in the LIST response
 */
export function nameOf(imap: BoundedImap, listed: string): string {
  if (listed.toUpperCase() === 'INBOX') return 'INBOX';
  const decoded = decodePath(imap, listed);
  return encodePath(imap, decoded) === listed ? decoded : listed;
}

/** Returns whether the server lists a mailbox by exactly this name. */
async function isListed(imap: BoundedImap, name: string): Promise<boolean> {
  let found = false;
  const add = (listed: string) => {
    found ||= listed === name;
  };
  await imap
    .command(LIST_BYTES, () => imap.listNames(name, add))
    .catch((error) => {
      if (!imap.usable) throw error;
    });
  return found;
}

/** Returns the name to send for a mailbox: the one that the server lists, among those that are read as this name. */
export async function wireNameOf(imap: BoundedImap, name: string): Promise<string> {
  const encoded = encodePath(imap, name);
  if (PLAIN.test(name)) return name;
  // A server may list either of them, regardless of what it announces.
  const others = [name, encodePath({ enabled: new Set(), capabilities: new Map() } as never, name)];
  for (const candidate of new Set([encoded, ...others]))
    if (await isListed(imap, candidate)) return candidate;
  return encoded;
}
