import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { vi } from 'vitest';
import { runProgram } from '../src/program.ts';

/** How a command ended, and what it printed. */
export interface EndedCommand {
  code: number;
  stdout: string;
  stderr: string;
}

/** Keeps what is written to it. */
class Collector extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

async function run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<EndedCommand> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const before = { env: process.env, exitCode: process.exitCode, console: globalThis.console };
  const spies = [
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(stdout as unknown as typeof process.stdout),
    vi.spyOn(process, 'stderr', 'get').mockReturnValue(stderr as unknown as typeof process.stderr),
  ];
  process.env = { ...before.env, ...env };
  process.exitCode = undefined;
  globalThis.console = new Console(stdout, stderr);
  try {
    await runProgram(words);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.env = before.env;
    process.exitCode = before.exitCode;
    globalThis.console = before.console;
    for (const spy of spies) spy.mockRestore();
  }
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of `datadeck` in this process, without the second that a process of its own takes to load the server. Commands run
 * one after another, because each needs the process's environment, exit code and output for itself.
 * @param env settings in addition to those of the process
 */
export function runCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<EndedCommand> {
  const ended = last.then(() => run(words, env));
  last = ended.catch(() => undefined);
  return ended;
}

/** Runs a command that must succeed. @returns its output @throws Error with its messages when it fails */
export async function outputOf(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { code, stdout, stderr } = await runCommand(words, env);
  if (code !== 0) throw new Error(`ended with ${code}: ${stderr}`);
  return stdout;
}
