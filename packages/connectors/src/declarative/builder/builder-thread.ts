/** The thread of the builder for texts: reads, checks and writes documents, so that large ones do not block the main thread. */
import { serveTasks, type TaskAnswer } from '../../sdk/task-thread-main.ts';
import type { BuilderTask } from './builder-task.ts';
import { checkedProblems } from './check-expressions.ts';
import { readDocumentText } from './read-document-text.ts';
import { startDocumentText } from './start-document-text.ts';

serveTasks({
  run(message): TaskAnswer {
    const task = message as BuilderTask;
    switch (task.kind) {
      case 'read':
        return { value: readDocumentText(task.text) };
      case 'check':
        return { value: checkedProblems(task.document) };
      case 'start':
        return { value: startDocumentText(task.start) };
    }
  },
});
