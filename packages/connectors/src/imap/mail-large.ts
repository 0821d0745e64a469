/** Reads the texts of messages that are too large to be read whole. Runs in the session thread. */
import type { FetchMessageObject, MessageStructureObject } from 'imapflow';
import { parseMime, readBoundary } from '../mail/mime-parser.ts';
import { readMailParts } from '../mail/read-mail.ts';
import { type BoundedImap, MESSAGE_BYTES } from './bounded-imap.ts';
import { readFileHeads } from './mail-names.ts';
import { bytesFor, fetchByUid } from './mail-query.ts';
import type { ReadMessage } from './mail-record.ts';
import { hasAllTexts, headOf, type LargeMessage, planTexts, writeWithoutFiles } from './mail-structure.ts';
import { BODY_LIMIT } from './mail-text.ts';

/** Fallback for a message whose structure is refused or unusual: its first 128 KB. */
const BEGINNING = {
  items: { uid: true, source: { maxLength: MESSAGE_BYTES } },
  bytes: bytesFor(MESSAGE_BYTES),
};
const STRUCTURE_BYTES = 1024 * 1024;
/** The query for the structure of messages. */
export const STRUCTURE = {
  items: { uid: true, bodyStructure: true },
  bytes: (count: number) => STRUCTURE_BYTES + bytesFor(0)(count),
};
/** Longest MIME header of a part that is read. */
const MIME_BYTES = 4 * 1024;
const EMPTY = Buffer.alloc(0);

type PlannedMessage = LargeMessage & { uid: number };
type FetchedTexts = Required<Pick<ReadMessage, 'source' | 'hasAllTexts' | 'isAssembled'>>;

/** Returns whether the beginning of a message has text, so that a structure without any is wrong. */
function hasText(source: Buffer): boolean {
  const { text, html } = readMailParts(parseMime(source), BODY_LIMIT);
  return text.trim() !== '' || html.trim() !== '';
}

/** Plans which parts of a message to read; undefined when its header or structure is unusual. */
function planMessage(
  { uid, source = EMPTY }: FetchMessageObject,
  structure: MessageStructureObject | undefined,
): PlannedMessage | undefined {
  const head = headOf(source);
  const plan = structure && planTexts(structure);
  if (!head || !plan || (plan.parts.length === 0 && hasText(source))) return undefined;
  const boundary = readBoundary(head);
  // The header and the structure must agree on whether the message has parts; servers send wrong structures.
  return (boundary === undefined) !== (structure.childNodes === undefined)
    ? undefined
    : { uid, head, structure, boundary, plan };
}

/** Groups messages with the same text parts, so that one command can fetch them. */
function groupByParts(planned: readonly PlannedMessage[]): PlannedMessage[][] {
  const keyOf = ({ plan }: PlannedMessage) =>
    plan.parts.map(({ part, maxLength }) => `${part}<${maxLength}>`).join(' ');
  return [...Map.groupBy(planned, keyOf).values()];
}

/** Reads the texts of large messages without their files. The result omits messages for which this fails. */
async function readTexts(
  imap: BoundedImap,
  planned: readonly PlannedMessage[],
): Promise<Map<number, FetchedTexts>> {
  const found = new Map<number, FetchedTexts>();
  for (const group of groupByParts(planned)) {
    const parts = group[0]?.plan.parts ?? [];
    const bodyParts = parts.flatMap(({ part, maxLength }) => [
      { key: `${part}.MIME`, maxLength: MIME_BYTES },
      { key: part, maxLength },
    ]);
    const uids = parts.length > 0 ? group.map(({ uid }) => uid) : [];
    const query = {
      items: { uid: true, bodyParts },
      bytes: bytesFor(MESSAGE_BYTES + parts.length * MIME_BYTES),
    };
    const { messages } = await fetchByUid(imap, uids, query);
    for (const message of group) {
      const contents = messages.get(message.uid)?.bodyParts ?? new Map();
      const source = writeWithoutFiles(message, contents);
      if (!source) continue;
      const isAssembled = message.boundary !== undefined;
      found.set(message.uid, { source, hasAllTexts: hasAllTexts(message, contents), isAssembled });
    }
  }
  return found;
}

/** Reads structure and texts of messages that are only partly read so far; where that fails, their first 128 KB. */
export async function readLarge(
  imap: BoundedImap,
  messages: readonly FetchMessageObject[],
): Promise<Map<number, ReadMessage>> {
  const uids = messages.map(({ uid }) => uid);
  const { messages: structures } = await fetchByUid(imap, uids, STRUCTURE);
  const planned: PlannedMessage[] = [];
  for (const message of messages) {
    const plan = planMessage(message, structures.get(message.uid)?.bodyStructure);
    if (plan) planned.push(plan);
  }
  const texts = await readTexts(imap, planned);
  const heads = await readFileHeads(imap, planned);
  const others = uids.filter((uid) => !texts.has(uid));
  const { messages: beginnings } = await fetchByUid(imap, others, BEGINNING);
  return new Map(
    messages.map((message) => {
      const { uid, size = 0 } = message;
      const { bodyStructure } = structures.get(uid) ?? {};
      const beginning = beginnings.get(uid)?.source || EMPTY;
      const source = beginning.length > 0 ? beginning : message.source || EMPTY;
      const isWhole = beginning.length > 0 && beginning.length < MESSAGE_BYTES;
      const files = bodyStructure && !isWhole ? { bodyStructure } : {};
      const fileHeads = heads.get(uid);
      const names = fileHeads ? { fileHeads } : {};
      const read = texts.get(uid) ?? { source, hasAllTexts: isWhole };
      return [
        uid,
        {
          ...message,
          size: isWhole ? source.length : Math.max(size, source.length),
          ...files,
          ...names,
          ...read,
        },
      ];
    }),
  );
}
