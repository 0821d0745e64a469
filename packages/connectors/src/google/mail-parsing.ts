import { z } from 'zod';
import type { ConnectorRecord } from '../sdk/index.ts';
import { idSchema, listOf } from './fields.ts';
import { messageRecord } from './message-record.ts';

/** What a response of Gmail contains: one message or a thread of messages. */
export type MailKind = 'message' | 'thread';

const threadSchema = z.object({ messages: listOf(z.looseObject({ id: idSchema })) });

/**
 * Converts the JSON of a message or of a thread of messages to records; none for a thread with an unreadable message.
 * @throws ProviderError `malformed` for a single message without an id, SyntaxError for invalid JSON
 */
export function parseMail(kind: MailKind, json: Buffer): ConnectorRecord[] {
  const body: unknown = JSON.parse(json.toString());
  if (kind === 'message') return [messageRecord(body)];
  const messages = threadSchema.safeParse(body ?? {}).data?.messages ?? [];
  return messages.map((message) => messageRecord(message));
}
