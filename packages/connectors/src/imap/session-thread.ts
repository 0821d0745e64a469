/** The thread of one session: speaks IMAP and parses mail, so that a server cannot block the main thread. */
import { serveTasks, type TaskAnswer } from '../sdk/task-thread-main.ts';
import type { BoundedImap } from './bounded-imap.ts';
import { readFile } from './mail-file.ts';
import { readMessages } from './mail-read.ts';
import { countSince, listChanges, listMessages } from './mail-uids.ts';
import { listMailboxes } from './mailbox-list.ts';
import { openImap, openMailbox } from './open.ts';
import { NOT_OPEN, type SessionTask } from './session-tasks.ts';

const HEARTBEAT_MS = 1000;
/** Longest wait for the response to LOGOUT. */
const LOGOUT_MS = 2000;

let current: BoundedImap | undefined;

async function open(task: Extract<SessionTask, { open: unknown }>): Promise<TaskAnswer> {
  current?.close();
  current = undefined;
  const imap = await openImap(task.open);
  current = imap;
  const { mailbox } = task.open;
  if (mailbox === undefined) return { value: null };
  try {
    return { value: await openMailbox(imap, mailbox) };
  } catch (error) {
    imap.close();
    throw error;
  }
}

async function close(withLogout: boolean): Promise<void> {
  const imap = current;
  current = undefined;
  if (withLogout && imap?.usable) {
    const late = setTimeout(() => imap.close(), LOGOUT_MS);
    await imap.logout().catch(() => undefined);
    clearTimeout(late);
  }
  imap?.close();
}

async function request(imap: BoundedImap, task: SessionTask): Promise<TaskAnswer> {
  if ('mailboxes' in task) return { value: await listMailboxes(imap, task.mailboxes.maxCounts) };
  if ('list' in task) {
    const value = await listMessages(imap, task.list);
    return { value, transfer: [value.remaining.buffer] };
  }
  if ('changes' in task) {
    const value = await listChanges(imap, task.changes);
    return { value, transfer: [value.changed.buffer, value.gone.buffer] };
  }
  if ('messages' in task) {
    const value = await readMessages(imap, task.messages);
    return { value, transfer: [value.records.texts.buffer] };
  }
  if ('file' in task) {
    const value = await readFile(imap, task.file);
    return typeof value === 'string' ? { value } : { value, transfer: [value.buffer] };
  }
  if ('count' in task) return { value: await countSince(imap, task.count.since) };
  return { value: NOT_OPEN };
}

serveTasks({
  heartbeatMs: HEARTBEAT_MS,
  async run(message) {
    const task = message as SessionTask;
    if ('open' in task) return open(task);
    if ('close' in task) {
      await close(task.close.withLogout);
      return { value: null };
    }
    return current?.usable ? request(current, task) : { value: NOT_OPEN };
  },
});
