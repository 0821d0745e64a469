/** The worker thread that parses pages of pull requests. */
import { serveTasks } from '../sdk/task-thread-main.ts';
import { sendRecords } from '../sdk/thread-records.ts';
import { readPulls } from './pull-list.ts';
import type { PullTask } from './pull-reading.ts';

serveTasks({
  run(task) {
    const { json, repository } = task as PullTask;
    const value = sendRecords(readPulls(json, repository));
    return { value, transfer: [value.texts.buffer] };
  },
});
