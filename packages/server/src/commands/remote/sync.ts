import { setTimeout as sleep } from 'node:timers/promises';
import type { Sync } from '@datadeck/contract';
import type { Command } from 'commander';
import { StartError } from '../../platform/start-error.ts';
import { terminalText } from '../terminal-text.ts';
import { type RemoteOptions, readServer, withQuery, withServer } from './api.ts';
import { addPair, findEntity, type SetValues } from './reading.ts';

const SYNCS = '/api/v1/integrations/synchronizations';
/** Interval between reads of a sync's progress, ms. */
const POLL_MS = 1000;
/** Exit code of a sync that failed or was cancelled, so that a script can tell it from a wrong call. */
const NOT_FINISHED = 2;
const BAR_WIDTH = 24;

/** Returns the state of a running sync as one line, with a bar when the total is known. */
export function progressOf({ progress }: Pick<Sync, 'progress'>): string {
  if (!progress) return 'Waiting to start';
  const { records, total, rate, retryAt } = progress;
  const done = total === null || total === 0 ? 0 : Math.min(1, records / total);
  const filled = Math.round(done * BAR_WIDTH);
  const bar = total === null ? '' : `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] `;
  const of = total === null ? '' : ` of ${total.toLocaleString('en')}`;
  const wait = retryAt === null ? `, ${Math.round(rate)}/s` : `, waits until ${retryAt}`;
  return `${bar}${records.toLocaleString('en')}${of} records${wait}`;
}

/** Shows a line that replaces the one before it, where standard error is a terminal. */
function showLine(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`);
}

async function awaitEnd(options: RemoteOptions, started: Sync): Promise<Sync> {
  let sync = started;
  while (sync.status === 'started') {
    showLine(progressOf(sync));
    await sleep(POLL_MS);
    const syncs = await readServer<Sync[]>(options, withQuery(SYNCS, { providers: sync.providerId }));
    const same = syncs.find(({ _id }) => _id === started._id);
    if (!same) throw new StartError(`Sync #${started.number} was deleted.`);
    sync = same;
  }
  showLine('');
  return sync;
}

/** Returns how a sync ended, as one line. */
function resultOf({ number, status, summary }: Sync): string {
  const { errMessage, added = 0, updated = 0, removed = 0, entitiesSynced = 0 } = summary;
  if (errMessage !== undefined) return `Sync #${number} ${status}: ${terminalText(errMessage)}`;
  return `Sync #${number} ${status}: ${added} added, ${updated} updated, ${removed} removed, ${entitiesSynced.toLocaleString('en')} records`;
}

async function sync(
  entity: string,
  options: RemoteOptions & { set?: SetValues; wait: boolean; json?: boolean },
): Promise<void> {
  const found = await findEntity(options, entity);
  const entitySettings = options.set ?? found.lastSettings ?? {};
  const body = { providerId: found.providerId, entityLabel: entity, entitySettings };
  const started = await readServer<Sync>(options, SYNCS, { method: 'POST', body });
  const ended = options.wait ? await awaitEnd(options, started) : started;
  console.log(options.json ? JSON.stringify(ended) : resultOf(ended));
  if (!['started', 'finished'].includes(ended.status)) process.exitCode = NOT_FINISHED;
}

/** Adds the command that starts a sync and shows its progress. */
export function addSyncCommand(program: Command): void {
  withServer(program.command('sync'))
    .description('synchronize an entity; exit code 2 if the sync fails or is cancelled')
    .argument('<entity>', 'for example gh-pulls')
    .option('--set <name=value>', 'value of a setting, by default the last one; repeat for more', addPair)
    .option('--no-wait', 'return when the sync has started')
    .option('--json', 'print the sync as JSON')
    .action(sync);
}
