/** The worker thread that rewrites large HTML of mails. */

import { writeMailPage } from './mail-page/mail-page.ts';
import { serveTasks } from './task-thread-main.ts';

serveTasks({ run: (task) => ({ value: writeMailPage(task as string) }) });
