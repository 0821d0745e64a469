import { AsyncLocalStorage } from 'node:async_hooks';

/*
 * A fair queue is what limits are fair between: a user, the tokens of a user, or all demo users together.
 */

/** The common fair queue of all demo users, who can be unlimited in number since they need no account. */
export const DEMO_QUEUE = 'demo';
/** The fair queue of demo sign-ins, which fill a workspace; separate, so that pages and other sign-ins do not wait for them. */
export const DEMO_SIGN_IN_QUEUE = 'demo sign-in';

const fairQueues = new AsyncLocalStorage<string>();

/** Runs a task under a fair queue, by which evaluation processes and database connections are limited. */
export function withFairQueue<T>(fairQueue: string, task: () => T): T {
  return fairQueues.run(fairQueue, task);
}

/** Returns the fair queue of the current task; undefined for the server's own work. */
export function currentFairQueue(): string | undefined {
  return fairQueues.getStore();
}
