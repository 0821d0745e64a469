import type { MessageStructureObject } from 'imapflow';
import type { JsonObject } from '../sdk/index.ts';

const MAX_ATTACHMENTS = 1000;

function isFile({ type, disposition, dispositionParameters, parameters }: MessageStructureObject): boolean {
  const named = dispositionParameters?.filename ?? parameters?.name;
  return disposition === 'attachment' || named !== undefined || !/^(text|multipart)\//.test(type);
}

/** The files of a message that is too large to be read whole, as the server describes them. */
export function attachmentsOf(structure: MessageStructureObject): JsonObject[] {
  const found: JsonObject[] = [];
  const queue = [structure];
  for (let part = queue.shift(); part && found.length < MAX_ATTACHMENTS; part = queue.shift()) {
    if (part.childNodes) queue.push(...part.childNodes);
    else if (isFile(part))
      found.push({
        filename: part.dispositionParameters?.filename ?? part.parameters?.name ?? '',
        mimeType: part.type,
        size: part.size ?? 0,
      });
  }
  return found;
}
