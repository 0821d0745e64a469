/** The thread that reads messages and threads of Gmail. */
import { z } from 'zod';
import { serveTasks, type TaskAnswer } from '../sdk/task-thread-main.ts';
import { type SentRecord, sendRecord } from '../sdk/thread-records.ts';
import { idSchema, listOf } from './fields.ts';
import type { MailTask } from './mail-reading.ts';
import { messageRecord } from './message-record.ts';

const threadSchema = z.object({ messages: listOf(z.looseObject({ id: idSchema })) });

/** Reads the messages of a thread. */
function threadRecords(body: unknown): SentRecord[] {
  const messages = threadSchema.safeParse(body ?? {}).data?.messages ?? [];
  return messages.map((message) => sendRecord(messageRecord(message)));
}

function answerOf(records: SentRecord[]): TaskAnswer {
  return { value: records, transfer: records.map(({ data }) => data.buffer) };
}

serveTasks({
  run(task) {
    const { kind, json } = task as MailTask;
    const body: unknown = JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString());
    return answerOf(kind === 'thread' ? threadRecords(body) : [sendRecord(messageRecord(body))]);
  },
});
