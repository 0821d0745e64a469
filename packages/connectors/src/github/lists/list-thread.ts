/** The worker thread that parses pages of lists. */
import { serveTasks } from '../../sdk/task-thread-main.ts';
import { sendRecords } from '../../sdk/thread-records.ts';
import { parseList } from './parse.ts';
import type { ListTask } from './reading.ts';

serveTasks({
  run(task) {
    const { json, kind, repository } = task as ListTask;
    const value = sendRecords(parseList(json, kind, repository));
    return { value, transfer: [value.texts.buffer] };
  },
});
