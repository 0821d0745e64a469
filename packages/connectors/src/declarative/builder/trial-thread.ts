/** The thread of trials: evaluates expressions and decodes answers of the real API, neither of which can be trusted. */
import { serveTasks, type TaskAnswer } from '../../sdk/task-thread-main.ts';
import { trialIdentity } from './trial-identity.ts';
import { trialPage } from './trial-page.ts';
import { trialRequest } from './trial-request.ts';
import type { TrialTask } from './trial-task.ts';

serveTasks({
  run(message): TaskAnswer {
    const task = message as TrialTask;
    switch (task.kind) {
      case 'request':
        return { value: trialRequest(task) };
      case 'page':
        return { value: trialPage(task) };
      case 'identity':
        return { value: trialIdentity(task) };
    }
  },
});
