/** The worker thread that rewrites large HTML of mails, and Markdown. */

import { serveTasks } from '../sdk/task-thread-main.ts';
import { htmlOfMarkdown } from './page/markdown.ts';
import { writeMailPage } from './page/page.ts';
import type { PageTask } from './page-task.ts';

serveTasks({
  run: (task) => {
    const { format, text } = task as PageTask;
    const isMarkdown = format === 'markdown';
    return { value: writeMailPage(isMarkdown ? htmlOfMarkdown(text) : text, !isMarkdown) };
  },
});
