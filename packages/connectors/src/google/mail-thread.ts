/** The worker thread that parses large Gmail messages and threads. */
import { serveTasks } from '../sdk/task-thread-main.ts';
import { sendRecords } from '../sdk/thread-records.ts';
import { type MailTask, parseMail } from './mail-parsing.ts';

serveTasks({
  run(task) {
    const value = sendRecords(parseMail(task as MailTask));
    return { value, transfer: [value.texts.buffer] };
  },
});
