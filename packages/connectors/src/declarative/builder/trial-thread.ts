/** The thread of trials: evaluates expressions and decodes answers of the real API, neither of which can be trusted. */
import { serveTasks, type TaskAnswer } from '../../sdk/task-thread-main.ts';
import { trialPage } from './trial-page.ts';
import { trialRequest } from './trial-request.ts';
import type { TrialTask } from './trial-task.ts';

serveTasks({
  run(message): TaskAnswer {
    const task = message as TrialTask;
    return { value: task.kind === 'page' ? trialPage(task) : trialRequest(task) };
  },
});
