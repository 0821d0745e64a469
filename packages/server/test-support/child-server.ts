import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { databasePidOf, killEmbeddedDatabase } from './temporary-folder.ts';

const MAIN = fileURLToPath(new URL('../src/start.ts', import.meta.url));
const ADMIN = fileURLToPath(new URL('../src/admin.ts', import.meta.url));
/** As `npm start` sets it. */
const MALLOC = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
const WAITING = fileURLToPath(new URL('waiting-server.ts', import.meta.url));

/** A Datadeck in a process of its own, to be killed. */
export class ChildServer {
  readonly #environment: Record<string, string>;
  readonly #isReplaced: boolean;
  #child: ChildProcess | undefined;
  /** Has loaded the code and waits for its turn. */
  #next: ChildProcess | undefined;
  #output = '';
  url = '';

  /**
   * @param environment settings; DATA_DIR and PORT among them
   * @param isReplaced while it runs the next process loads the code already, so that a start after a kill is quick; it must be disposed of
   */
  constructor(environment: Record<string, string>, isReplaced = false) {
    this.#environment = environment;
    this.#isReplaced = isReplaced;
  }

  get output(): string {
    return this.#output;
  }

  /** Starts it and waits until it answers. */
  async start(): Promise<void> {
    const child = this.#isReplaced ? (this.#next ?? this.#spawn(WAITING)) : this.#spawn(MAIN);
    this.#next = undefined;
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
    if (this.#isReplaced) child.send('start');
    await ready;
    if (this.#isReplaced) this.#next = this.#spawn(WAITING);
  }

  #spawn(script: string): ChildProcess {
    const { PATH = '', HOME = '' } = process.env;
    const isWaiting = script === WAITING;
    // As `npm start` sets them; where starts are many, loading the code with less collecting of garbage counts for more.
    const options = [`--max-semi-space-size=${isWaiting ? 64 : 8}`, '--v8-pool-size=1'];
    return spawn(process.execPath, [...options, script], {
      env: { PATH, HOME, ...MALLOC, LOG_LEVEL: 'warn', WEB_APP: 'off', ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe', ...(isWaiting ? (['ipc'] as const) : [])],
    });
  }

  /** Runs a command of the administrator. @returns what it prints */
  async admin(...words: string[]): Promise<string> {
    const env = { ...process.env, ...this.#environment };
    return (await promisify(execFile)(process.execPath, [ADMIN, ...words], { env })).stdout;
  }

  /** Ends it, and the process that waits to replace it. */
  async dispose(): Promise<void> {
    this.#next?.kill('SIGKILL');
    await this.end('SIGTERM');
  }

  /** Sends a signal and waits for the end. @returns the exit code */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || !this.isRunning) return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    child.kill(signal);
    const [code] = (await exit) as [number | null];
    return code;
  }

  /** False before it is started, and once it has ended, by whatever. */
  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** The process's id while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The id of the embedded database's main process. @throws when there is none */
  get databasePid(): number {
    return databasePidOf(this.#environment.DATA_DIR ?? '');
  }

  /** Kills the embedded database's main process as well. */
  killDatabase(): void {
    killEmbeddedDatabase(this.#environment.DATA_DIR ?? '');
  }
}
