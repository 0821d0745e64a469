import { type MessagePort, parentPort } from 'node:worker_threads';
import { ProviderError } from './provider-error.ts';
import type { PlainError, ThreadMessage } from './task-thread-messages.ts';

/** Longest error text that is sent, UTF-16 units. */
const MAX_TEXT_LENGTH = 500;

/** The result of a task. */
export interface TaskAnswer {
  value: unknown;
  /** Buffers to move to the caller's thread. */
  transfer?: readonly ArrayBuffer[];
}

/** The task handler of a thread. */
export interface TaskService {
  /** Runs one task and returns its result. */
  run(task: unknown): TaskAnswer | Promise<TaskAnswer>;
  /** Time between two heartbeats, ms, for tasks that wait for a server. Default: no heartbeats. */
  heartbeatMs?: number;
}

/** Serves the tasks of a `TaskThread`; called once by the thread's script. */
export function serveTasks({ run, heartbeatMs }: TaskService): void {
  const port = parentPort as MessagePort;
  const send = (message: ThreadMessage, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  if (heartbeatMs !== undefined) setInterval(() => send({ alive: true }), heartbeatMs).unref();
  port.on('message', async (task: unknown) => {
    try {
      const { value, transfer } = await run(task);
      send({ answer: value }, transfer);
    } catch (error) {
      send({ error: plainError(error) });
    }
  });
}

function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), fields: {} };
  const { name, message } = error;
  const shortMessage = message.slice(0, MAX_TEXT_LENGTH);
  if (error instanceof ProviderError)
    return { name, message: shortMessage, failure: error.failure, fields: {} };
  const fields: PlainError['fields'] = {};
  for (const [key, value] of Object.entries(error)) {
    if (key === 'name' || key === 'message') continue;
    if (typeof value === 'string') fields[key] = value.slice(0, MAX_TEXT_LENGTH);
    else if (typeof value === 'number' || typeof value === 'boolean') fields[key] = value;
  }
  return { name, message: shortMessage, fields };
}
