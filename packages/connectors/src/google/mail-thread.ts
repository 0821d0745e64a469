/** The worker thread that parses large Gmail messages and threads. */
import { serveTasks } from '../sdk/task-thread-main.ts';
import { sendRecords } from '../sdk/thread-records.ts';
import { parseMail } from './mail-parsing.ts';
import type { MailTask } from './mail-reading.ts';

serveTasks({
  run(task) {
    const { kind, json } = task as MailTask;
    const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
    const value = sendRecords(parseMail(kind, bytes));
    return { value, transfer: [value.texts.buffer] };
  },
});
