/** The worker thread that parses large Gmail messages, threads and files. */
import { serveTasks } from '../sdk/task-thread-main.ts';
import { sendRecords, transferable } from '../sdk/thread-records.ts';
import { type FileTask, parseFile } from './mail-file-parsing.ts';
import { type MailTask, parseMail } from './mail-parsing.ts';

/** Returns the result with its bytes in a buffer of their own, and the buffers to move. */
function transferred(result: ReturnType<typeof parseFile>) {
  if (result === null) return { value: null };
  if (result instanceof Uint8Array) {
    const value = transferable(Buffer.from(result.buffer, result.byteOffset, result.byteLength));
    return { value, transfer: [value.buffer] };
  }
  return { value: result };
}

serveTasks({
  run(message) {
    const task = message as MailTask | FileTask;
    if ('file' in task) return transferred(parseFile(task));
    const value = sendRecords(parseMail(task));
    return { value, transfer: [value.texts.buffer] };
  },
});
