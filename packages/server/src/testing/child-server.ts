import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseFolder } from './temporary-folder.ts';

const MAIN = fileURLToPath(new URL('../start.ts', import.meta.url));

/** A Datadeck in a process of its own, to be killed. */
export class ChildServer {
  readonly #environment: Record<string, string>;
  #child: ChildProcess | undefined;
  #output = '';
  url = '';

  /** @param environment settings; DATA_DIR and PORT among them */
  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  get output(): string {
    return this.#output;
  }

  /** Starts it and waits until it answers. */
  async start(): Promise<void> {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, ['--max-semi-space-size=8', MAIN], {
      env: { PATH, HOME, LOG_LEVEL: 'warn', WEB_APP: 'off', ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.url = `http://127.0.0.1:${this.#environment.PORT}`;
    this.#output = '';
    const ready = new Promise<void>((resolve, reject) => {
      const collect = (chunk: Buffer) => {
        this.#output += chunk.toString();
        if (this.#output.includes('is ready at')) resolve();
      };
      child.stdout?.on('data', collect);
      child.stderr?.on('data', collect);
      child.on('exit', (code) => reject(new Error(`ended with ${code}: ${this.#output}`)));
    });
    await ready;
  }

  /** Sends a signal and waits for the end. @returns the exit code */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    child.kill(signal);
    const [code] = (await exit) as [number | null];
    return code;
  }

  /** The process's id while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The id of the embedded database's main process. @throws when there is none */
  get databasePid(): number {
    const file = join(databaseFolder(this.#environment.DATA_DIR ?? ''), 'cluster', 'postmaster.pid');
    return Number.parseInt(readFileSync(file, 'utf8'), 10);
  }

  /** Kills the embedded database's main process as well. */
  killDatabase(): void {
    try {
      process.kill(this.databasePid, 'SIGKILL');
    } catch {
      // It is not running: as wanted.
    }
  }
}
