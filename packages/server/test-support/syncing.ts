import { setTimeout as sleep } from 'node:timers/promises';
import type { Sync } from '@datadeck/contract';
import type { Client } from './test-server.ts';

export const SYNCS = '/api/integrations/synchronizations';

/** Starts a sync with the given settings. */
export function startSync(
  client: Client,
  entity: string,
  entitySettings: Record<string, string> = {},
): Promise<Sync> {
  const providerId = entity.startsWith('gh-') ? 'github' : 'google';
  return client.post<Sync>(SYNCS, {
    providerId,
    entityLabel: entity,
    generalSettings: { overwrite: true },
    entitySettings,
  });
}

/** Returns the current state of the sync. */
export async function readSync(client: Client, id: string): Promise<Sync> {
  const syncs = await client.get<Sync[]>(`${SYNCS}?providers=google,github,outlook`);
  const found = syncs.find((sync) => sync._id === id);
  if (!found) throw new Error(`sync ${id} is gone`);
  return found;
}

/** Options for waiting for the end of a sync. */
interface Waiting {
  timeoutMs?: number;
  /** Polling interval; shorter at first. */
  everyMs?: number;
}

/** Waits until a sync has ended. */
export async function awaitEnd(
  client: Client,
  id: string,
  { timeoutMs = 120_000, everyMs = 40 }: Waiting = {},
): Promise<Sync> {
  for (let begun = Date.now(), wait = 5; ; wait = Math.min(everyMs, 2 * wait)) {
    const sync = await readSync(client, id);
    if (sync.status !== 'started') return sync;
    if (Date.now() - begun > timeoutMs)
      throw new Error(`sync still ${JSON.stringify(sync.progress)} after ${timeoutMs} ms`);
    await sleep(wait);
  }
}

/** Runs a sync of any provider to its end. @param request what to synchronize */
export async function runSyncOf(
  client: Client,
  request: { providerId: string; entityLabel: string; entitySettings?: Record<string, string> },
): Promise<Sync> {
  const { _id } = await client.post<Sync>(SYNCS, request);
  let latest: Sync | undefined;
  await until(async () => {
    const syncs = await client.get<Sync[]>(`${SYNCS}?providers=${request.providerId}`);
    latest = syncs.find((one) => one._id === _id);
    return latest?.status !== 'started';
  });
  return latest as Sync;
}

/** Runs a sync to its end. */
export async function runSync(
  client: Client,
  entity: string,
  settings: Record<string, string> = {},
  waiting?: Waiting,
): Promise<Sync> {
  const { _id } = await startSync(client, entity, settings);
  return awaitEnd(client, _id, waiting);
}

/** Waits until a condition is true. @throws Error after `timeoutMs` */
export async function until(isSo: () => Promise<boolean> | boolean, timeoutMs = 60_000): Promise<void> {
  for (const begun = Date.now(); !(await isSo()); ) {
    if (Date.now() - begun > timeoutMs) throw new Error(`not so after ${timeoutMs} ms`);
    await sleep(10);
  }
}

/** Returns all rows of a template, from all pages. */
export async function allRows(client: Client, entity: string, template: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let page = 1; ; page++) {
    const path = `/api/integrations/entities/aggregation/${entity}/${template}?page=${page}`;
    const { results, count } = await client.get<{ results: unknown[]; count: number }>(path);
    rows.push(...results);
    if (results.length === 0 || rows.length >= count) return rows;
  }
}
