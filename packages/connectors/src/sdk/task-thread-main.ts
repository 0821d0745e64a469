import { type MessagePort, parentPort } from 'node:worker_threads';
import { ProviderError } from './provider-error.ts';
import type { PlainError, ThreadMessage } from './task-thread-messages.ts';

/** Longest text of an error that is passed on, UTF-16 units. */
const LONGEST_TEXT = 500;

/** The outcome of a task. */
export interface TaskAnswer {
  value: unknown;
  /** Memory that goes along. */
  transfer?: readonly ArrayBuffer[];
}

/** What a thread does. */
export interface TaskService {
  /** Runs one task. */
  run(task: unknown): TaskAnswer | Promise<TaskAnswer>;
  /** Time between two heartbeats, ms, for tasks that wait for others. Default: none is sent. */
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
  const words = message.slice(0, LONGEST_TEXT);
  if (error instanceof ProviderError) return { name, message: words, failure: error.failure, fields: {} };
  const fields: PlainError['fields'] = {};
  for (const [key, value] of Object.entries(error)) {
    if (key === 'name' || key === 'message') continue;
    if (typeof value === 'string') fields[key] = value.slice(0, LONGEST_TEXT);
    else if (typeof value === 'number' || typeof value === 'boolean') fields[key] = value;
  }
  return { name, message: words, fields };
}
