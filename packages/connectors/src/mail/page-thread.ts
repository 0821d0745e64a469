/** The worker thread that rewrites large HTML of mails. */

import { serveTasks } from '../sdk/task-thread-main.ts';
import { writeMailPage } from './page/page.ts';

serveTasks({ run: (task) => ({ value: writeMailPage(task as string) }) });
