/** Reads the headers of the files of large messages, of which the server parses odd names in its own way. */
import type { MessageStructureObject } from 'imapflow';
import { parseMime } from '../mail/mime-parser.ts';
import type { MimePart, PartDescription } from '../mail/mime-part.ts';
import type { BoundedImap } from './bounded-imap.ts';
import { fileNodesOf, textNodesOf } from './mail-parts.ts';
import { bytesFor, fetchByUid } from './mail-query.ts';

/** Longest header of a file that is read, bytes, and largest number of files of a message whose headers are read. */
const MIME_BYTES = 4 * 1024;
const MAX_FILES = 100;

/** What the headers of files say, by IMAP part number; empty for the message itself. */
export type FileHeads = ReadonlyMap<string, FileHead>;
type FileHead = PartDescription & Pick<MimePart, 'headers'>;

/** A message whose structure is known. */
interface StructuredMessage {
  uid: number;
  structure: MessageStructureObject;
  /** Header of the message. */
  head: Buffer;
}

/** Returns the first charset that a text of a message declares; empty if none declares one. */
function declaredTextCharset(structure: MessageStructureObject): string {
  const charsets = [...textNodesOf(structure)].map(({ parameters }) => parameters?.charset);
  return charsets.find(Boolean) ?? '';
}

/** Reads the headers of the files of messages. The result omits messages and files for which this fails. */
export async function readFileHeads(
  imap: BoundedImap,
  messages: readonly StructuredMessage[],
): Promise<Map<number, FileHeads>> {
  const found = new Map<number, FileHeads>();
  const partsOf = ({ structure }: StructuredMessage) =>
    fileNodesOf(structure)
      .flatMap(({ part }) => (part === undefined ? [] : [part]))
      .slice(0, MAX_FILES);
  const whole = messages.filter(({ structure }) => structure.childNodes === undefined);
  for (const { uid, head } of whole) found.set(uid, new Map([['', parseMime(head)]]));
  const others = messages.filter(({ structure }) => structure.childNodes !== undefined);
  // Messages with files at the same places share a command.
  for (const group of Map.groupBy(others, (message) => partsOf(message).join(' ')).values()) {
    const parts = group[0] ? partsOf(group[0]) : [];
    const bodyParts = parts.map((part) => ({ key: `${part}.MIME`, maxLength: MIME_BYTES }));
    const query = { items: { uid: true, bodyParts }, bytes: bytesFor(parts.length * MIME_BYTES) };
    const uids = parts.length > 0 ? group.map(({ uid }) => uid) : [];
    const { messages: fetched } = await fetchByUid(imap, uids, query);
    for (const { uid, structure } of group) {
      const heads = parts.flatMap((part): [string, FileHead][] => {
        const bytes = fetched.get(uid)?.bodyParts?.get(`${part}.mime`);
        return bytes ? [[part, parseMime(bytes, declaredTextCharset(structure))]] : [];
      });
      found.set(uid, new Map(heads));
    }
  }
  return found;
}
