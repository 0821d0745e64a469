import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Longest time until a start is ready, ms. */
const START_TIMEOUT_MS = 120_000;
const LINK = /^\s*(https?:\/\/\S+\/auth\/link\/\S+)\s*$/m;

/** A running Datadeck that was started by a command of an installation. */
export interface StartedProduct {
  url: string;
  /** The printed sign-in link; empty if none was printed. */
  link: string;
  pid: number;
  /** All that it printed. */
  output(): string;
  /** Ends it by SIGTERM. @throws Error when it does not end with 0 */
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

/** Starts the product by a command and waits until it is ready. @throws Error with its output when it is not */
export async function startProduct(
  command: readonly [string, ...string[]],
  options: Omit<SpawnOptions, 'stdio'>,
): Promise<StartedProduct> {
  const [file, ...args] = command;
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const url = await untilReady(child, () => output);
  return {
    url,
    link: output.match(LINK)?.[1] ?? '',
    pid: child.pid ?? 0,
    output: () => output,
    stop: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await exited;
      if (code !== 0) throw new Error(`It ended with ${code} after SIGTERM:\n${output}`);
    },
  };
}
