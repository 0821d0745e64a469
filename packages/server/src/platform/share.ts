import { AsyncLocalStorage } from 'node:async_hooks';

/** The share of all demo users together: there may be any number of them, and none has to sign in. */
export const DEMO_SHARE = 'demo';
/** The share of demo sign-ins, each of which fills a workspace: pages and other sign-ins never wait behind them. */
export const DEMO_SIGN_IN_SHARE = 'demo sign-in';

const shares = new AsyncLocalStorage<string>();

/** Runs a task that draws on a share of the server's capacity: evaluation processes and connections to the database. */
export function withShare<T>(share: string, task: () => T): T {
  return shares.run(share, task);
}

/** Returns the share that the running task draws on; undefined for the server's own work. */
export function currentShare(): string | undefined {
  return shares.getStore();
}
