import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { processTree } from '../../bench/memory-of.ts';

/** Longest time until a start is ready, ms. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;
const LINK = /^\s*(https?:\/\/\S+\/auth\/link\/\S+)\s*$/m;

/** A running Datadeck that was started by a command of an installation. */
export interface StartedProduct {
  url: string;
  /** The printed sign-in link; empty if none was printed. */
  link: string;
  pid: number;
  /** All that it printed. */
  output(): string;
  /** Ends it by SIGTERM and waits for the end of all its processes. @throws Error when one does not end in time */
  stop(): Promise<void>;
}

function urlIn(output: string): string | undefined {
  return output.match(/is ready at (\S+)/)?.[1];
}

async function untilReady(child: ChildProcess, output: () => string): Promise<string> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const url = urlIn(output());
    // The last line of the announcement, after the link.
    if (url !== undefined && output().includes('Stop it with')) return url;
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${output()}`);
    if (Date.now() > deadline)
      throw new Error(`It is not ready after ${START_TIMEOUT_MS / 1000} s:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Sends SIGTERM to the process group, as a terminal does: npx does not pass signals on. */
async function stopGroup({ pid = 0 }: ChildProcess): Promise<void> {
  if (!isAlive(pid)) return;
  const pids = processTree(pid);
  process.kill(-pid, 'SIGTERM');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (pids.some(isAlive)) {
    if (Date.now() > deadline) {
      process.kill(-pid, 'SIGKILL');
      throw new Error(`It did not end within ${STOP_TIMEOUT_MS / 1000} s.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Starts the product by a command and waits until it is ready. @throws Error with its output when it is not */
export async function startProduct(
  command: readonly [string, ...string[]],
  options: Omit<SpawnOptions, 'stdio'>,
): Promise<StartedProduct> {
  const [file, ...args] = command;
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const url = await untilReady(child, () => output);
  return {
    url,
    link: output.match(LINK)?.[1] ?? '',
    pid: child.pid ?? 0,
    output: () => output,
    stop: () => stopGroup(child),
  };
}
