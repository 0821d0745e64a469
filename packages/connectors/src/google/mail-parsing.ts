import { z } from 'zod';
import { idSchema, listOf } from './fields.ts';
import { type MailRecord, messageRecord } from './mail-record.ts';

/** What a response of Gmail contains: one message or a thread of messages. */
export type MailKind = 'message' | 'thread';

/** The response with a part's content. */
export interface TextResponse {
  partId: string;
  json: Uint8Array;
}

/** A response to parse. */
export interface MailTask {
  kind: MailKind;
  json: Uint8Array;
  /** The texts of a message that Gmail returned on their own. */
  texts?: readonly TextResponse[];
}

const parseJson = (json: Uint8Array): unknown =>
  JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString());

const attachmentSchema = z.object({ data: z.string() });

/** Returns the content in the response with an attachment, in base64url; empty for a malformed one. */
function dataOf(json: Uint8Array): string {
  try {
    return attachmentSchema.safeParse(parseJson(json)).data?.data ?? '';
  } catch {
    return '';
  }
}

const threadSchema = z.object({ messages: listOf(z.looseObject({ id: idSchema })) });

/**
 * Converts the JSON of a message or of a thread of messages to records; none for a thread with an unreadable message.
 * @throws ProviderError `malformed` for a single message without an id, SyntaxError for invalid JSON
 */
export function parseMail({ kind, json, texts = [] }: MailTask): MailRecord[] {
  const body = parseJson(json);
  if (kind === 'message')
    return [messageRecord(body, new Map(texts.map((text) => [text.partId, dataOf(text.json)])))];
  const messages = threadSchema.safeParse(body ?? {}).data?.messages ?? [];
  return messages.map((message) => messageRecord(message));
}
