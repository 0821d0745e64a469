/** The worker thread that parses Gmail messages and threads. */
import { z } from 'zod';
import type { ConnectorRecord } from '../sdk/connector.ts';
import { serveTasks } from '../sdk/task-thread-main.ts';
import { sendRecords } from '../sdk/thread-records.ts';
import { idSchema, listOf } from './fields.ts';
import type { MailTask } from './mail-reading.ts';
import { messageRecord } from './message-record.ts';

const threadSchema = z.object({ messages: listOf(z.looseObject({ id: idSchema })) });

/** Converts the messages of a Gmail thread to records. */
function threadRecords(body: unknown): ConnectorRecord[] {
  const messages = threadSchema.safeParse(body ?? {}).data?.messages ?? [];
  return messages.map((message) => messageRecord(message));
}

serveTasks({
  run(task) {
    const { kind, json } = task as MailTask;
    const body: unknown = JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString());
    const value = sendRecords(kind === 'thread' ? threadRecords(body) : [messageRecord(body)]);
    return { value, transfer: [value.texts.buffer] };
  },
});
