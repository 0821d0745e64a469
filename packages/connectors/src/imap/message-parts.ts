import type { MessageStructureObject } from 'imapflow';
import type { JsonObject } from '../sdk/json.ts';
import { storable } from '../sdk/storable.ts';
import { isAttachment } from './mail-parser.ts';

/** Largest number of files in a record, and of parts examined. */
export const MAX_ATTACHMENTS = 1000;
const MAX_PARTS = 10_000;
/** Longest file name, UTF-16 units. */
const MAX_NAME_LENGTH = 1000;

/** Returns the entry of a file in a record's `attachments`. @param size bytes */
export function fileOf(filename: string | null | undefined, mimeType: string, size: number): JsonObject {
  return {
    filename: storable((filename ?? '').slice(0, MAX_NAME_LENGTH)),
    mimeType: storable(mimeType.slice(0, MAX_NAME_LENGTH)),
    size,
  };
}

/** Bytes of a base64 line including its line end, and of the content that it encodes. */
const BASE64_LINE = 78;
const BASE64_CONTENT = 57;

/** Estimates the size of a part's content (bytes) from its encoded size. */
function contentSize({ size = 0, encoding }: MessageStructureObject): number {
  return encoding?.toLowerCase() === 'base64' ? Math.floor((size * BASE64_CONTENT) / BASE64_LINE) : size;
}

/** Lists the files of a large message from the server's BODYSTRUCTURE. */
export function attachmentsOf(structure: MessageStructureObject): JsonObject[] {
  const found: JsonObject[] = [];
  const queue = [structure];
  for (let index = 0; index < queue.length && index < MAX_PARTS; index++) {
    const part = queue[index] as MessageStructureObject;
    const { type, childNodes, parameters, disposition, dispositionParameters } = part;
    // The parts of an attached message belong to that message.
    if (childNodes && !/^message\//i.test(type)) {
      for (const child of childNodes) queue.push(child);
      continue;
    }
    const filename = dispositionParameters?.filename ?? parameters?.name ?? null;
    const isText = index === 0 && /^text\//i.test(type);
    const isFile = isAttachment({
      filename: isText ? null : filename,
      disposition: dispositionOf(disposition),
    });
    if (isFile && found.length < MAX_ATTACHMENTS) found.push(fileOf(filename, type, contentSize(part)));
  }
  return found;
}

function dispositionOf(disposition: string | undefined): 'attachment' | null {
  return disposition?.toLowerCase() === 'attachment' ? 'attachment' : null;
}
