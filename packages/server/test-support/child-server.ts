import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { databasePidOf, killEmbeddedDatabase } from './temporary-folder.ts';

const MAIN = fileURLToPath(new URL('../src/start.ts', import.meta.url));
/** Starts the product with the sandbox that tests control. */
export const WITH_TEST_SANDBOX = fileURLToPath(new URL('start-with-test-sandbox.ts', import.meta.url));
/** The command `datadeck`. */
export const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
/** Lets processes of `datadeck` share compiled modules; loading the server then takes a third less processor time. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../.cache/tests/compile', import.meta.url)),
};
/** Same as in `npm start`. */
const MALLOC = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
const WAITING = fileURLToPath(new URL('waiting-server.ts', import.meta.url));

/** A Datadeck server in a separate process, for tests that kill it. */
export class ChildServer {
  readonly #environment: Record<string, string>;
  readonly #isReplaced: boolean;
  readonly #main: string;
  #child: ChildProcess | undefined;
  /** A process that has loaded the code and waits to be started. */
  #next: ChildProcess | undefined;
  #output = '';
  url = '';

  /**
   * @param environment settings, including DATA_DIR and PORT
   * @param isReplaced whether to preload the next process, for a fast restart after a kill; it must be disposed of
   * @param main entry point: another one of this checkout, or of another checkout
   */
  constructor(environment: Record<string, string>, isReplaced = false, main = MAIN) {
    this.#environment = environment;
    this.#isReplaced = isReplaced;
    this.#main = main;
  }

  get output(): string {
    return this.#output;
  }

  /** Starts the server and waits until it responds. */
  async start(): Promise<void> {
    const child = this.#isReplaced ? (this.#next ?? this.#spawn(WAITING)) : this.#spawn(this.#main);
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
    // Same as in `npm start`; with many starts, fewer garbage collections while loading matter more.
    const options = [`--max-semi-space-size=${isWaiting ? 64 : 8}`, '--v8-pool-size=1'];
    return spawn(process.execPath, [...options, script], {
      env: { PATH, HOME, ...MALLOC, LOG_LEVEL: 'warn', WEB_APP: 'off', ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe', ...(isWaiting ? (['ipc'] as const) : [])],
    });
  }

  /** Runs a command of `datadeck`. @returns its output */
  async admin(...words: string[]): Promise<string> {
    return (await this.run(...words)).stdout;
  }

  /** Runs a command of `datadeck`. @returns its output and its messages */
  async run(...words: string[]): Promise<{ stdout: string; stderr: string }> {
    const env = { ...process.env, ...COMPILE_CACHE, ...this.#environment };
    return promisify(execFile)(process.execPath, [CLI, ...words], { env });
  }

  /** Stops the server and the preloaded process. */
  async dispose(): Promise<void> {
    this.#next?.kill('SIGKILL');
    await this.end('SIGTERM');
  }

  /** Sends a signal and waits for the exit. @returns the exit code */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || !this.isRunning) return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    child.kill(signal);
    const [code] = (await exit) as [number | null];
    return code;
  }

  /** Returns whether the process is running. */
  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** Process id while the server is running. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The data folder of the settings. */
  get dataDir(): string {
    return this.#environment.DATA_DIR ?? '';
  }

  /** Returns the process id of the embedded database's main process. @throws when it is not running */
  get databasePid(): number {
    return databasePidOf(this.dataDir);
  }

  /** Kills the server and the embedded database's main process. */
  killDatabase(): void {
    killEmbeddedDatabase(this.dataDir);
  }
}
