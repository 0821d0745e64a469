import { AsyncLocalStorage } from 'node:async_hooks';

/** The common share of all demo users, who can be unlimited in number since they need no account. */
export const DEMO_SHARE = 'demo';
/** The share of demo sign-ins, which fill a workspace; separate, so that pages and other sign-ins do not wait for them. */
export const DEMO_SIGN_IN_SHARE = 'demo sign-in';

const shares = new AsyncLocalStorage<string>();

/** Runs a task under a share, by which evaluation processes and database connections are limited. */
export function withShare<T>(share: string, task: () => T): T {
  return shares.run(share, task);
}

/** Returns the share of the current task; undefined for the server's own work. */
export function currentShare(): string | undefined {
  return shares.getStore();
}
