import {
  type Credentials,
  isLoopback,
  type ProviderClient,
  ProviderError,
  resolveHost,
  Semaphore,
  TaskThread,
} from '../sdk/index.ts';
import { type Account, accountOf } from './account.ts';
import { classifyImap } from './classify.ts';
import type { MailboxState } from './open.ts';
import { NOT_OPEN, type SessionAnswers, type SessionRequests, type SessionTask } from './session-tasks.ts';

export type { MailboxState };

/** How sessions are opened. */
export interface SessionOptions {
  /** Host names, `*.domain` or `*`. */
  hosts: readonly string[];
  /** A certificate authority to trust in addition to the system's, PEM. */
  ca?: string | undefined;
}

interface Attempt {
  credentials: Pick<Credentials, 'accessToken' | 'fields'>;
  signal: AbortSignal;
  idleTimeoutMs: number;
}

const SCRIPT = new URL('./session-thread.ts', import.meta.url);
/** A thread without a heartbeat for 10 s is stuck in something that a server sent. */
const LIMITS = { timeoutMs: 10_000, heapMb: 384 };
/** Sessions at once in this process; others wait. */
const MAX_SESSIONS = 24;
/** Threads that wait for the next session; they end by themselves. */
const MAX_SPARE_THREADS = 4;
const sessionSlots = new Semaphore({ concurrency: MAX_SESSIONS });
const spareThreads: TaskThread[] = [];

/** The address to connect to. Without TLS only this machine itself: elsewhere the password could be read on the way. */
async function addressOf({ host, security }: Account, hosts: readonly string[]): Promise<string> {
  const address = await resolveHost(host, hosts);
  if (security === 'none' && !isLoopback(address))
    throw new ProviderError('invalid', 'A connection without TLS is allowed on this machine only.', {
      field: 'security',
    });
  return address;
}

/** A connection in a thread of its own, which serves one session after the other. */
export class ImapConnection {
  readonly #options: SessionOptions;
  readonly #mailbox: string | undefined;
  #thread: TaskThread | undefined;

  /** @param mailbox undefined: none is opened */
  constructor(options: SessionOptions, mailbox?: string) {
    this.#options = options;
    this.#mailbox = mailbox;
  }

  /**
   * Opens the connection.
   * @returns the mailbox, null without one @throws ProviderError of the host's policy; what imapflow throws
   */
  async open({ credentials, signal, idleTimeoutMs }: Attempt): Promise<MailboxState | null> {
    const account = accountOf(credentials.fields);
    const address = await addressOf(account, this.#options.hosts);
    const { ca } = this.#options;
    const password = credentials.accessToken;
    const open = { account, address, ca, password, idleTimeoutMs, mailbox: this.#mailbox };
    return this.#run<MailboxState | null>({ open }, signal);
  }

  /** Asks the server. @returns undefined when there is no connection, or no longer */
  async ask<Kind extends keyof SessionRequests>(
    task: { [Key in Kind]: SessionRequests[Key] },
    signal: AbortSignal,
  ): Promise<SessionAnswers[Kind] | undefined> {
    const answer = await this.#run<SessionAnswers[Kind] | typeof NOT_OPEN>(
      task as unknown as SessionTask,
      signal,
    );
    return answer === NOT_OPEN ? undefined : answer;
  }

  /** Ends the connection. @param isPolite whether the server is told */
  async close(isPolite = false): Promise<void> {
    const thread = this.#thread;
    if (!thread) return;
    this.#thread = undefined;
    const task: SessionTask = { close: { isPolite } };
    const isSound = await thread.run(task).then(
      () => true,
      () => false,
    );
    if (isSound && spareThreads.length < MAX_SPARE_THREADS) spareThreads.push(thread);
    else thread.end();
    sessionSlots.release();
  }

  /** On abort the thread is ended under the task. */
  async #run<T>(task: SessionTask, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (!this.#thread) {
      await sessionSlots.acquire(signal);
      this.#thread = spareThreads.pop() ?? new TaskThread(SCRIPT, LIMITS);
    }
    const thread = this.#thread;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        reject(signal.reason);
        thread.end();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      thread
        .run<T>(task)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', onAbort));
    });
  }
}

/** One reader's connection: opened with its mailbox at the first request and again after a loss. */
export class ImapSession {
  readonly #client: ProviderClient;
  readonly #connection: ImapConnection;
  #opened: MailboxState | undefined;

  /** @param mailbox undefined: none is opened */
  constructor(client: ProviderClient, options: SessionOptions, mailbox?: string) {
    this.#client = client;
    this.#connection = new ImapConnection(options, mailbox);
  }

  /** Asks the server one question, within the quota and with retries. @throws ProviderError */
  ask<Kind extends keyof SessionRequests>(
    task: { [Key in Kind]: SessionRequests[Key] },
  ): Promise<SessionAnswers[Kind]> {
    return this.#client.exchange({
      units: 1,
      classify: classifyImap,
      send: async (attempt) => {
        const known = await this.#connection.ask(task, attempt.signal);
        if (known !== undefined) return known;
        this.#compare(await this.#connection.open(attempt));
        const answer = await this.#connection.ask(task, attempt.signal);
        if (answer === undefined) throw new Error('the connection was lost');
        return answer;
      },
    });
  }

  /** The mailbox as this session first found it. @throws ProviderError */
  async state(): Promise<MailboxState> {
    if (!this.#opened) await this.ask({ count: true });
    return this.#opened as MailboxState;
  }

  /** Ends the connection without a word: nothing is under way, and the server need not answer. */
  close(): void {
    void this.#connection.close();
  }

  #compare(state: MailboxState | null): void {
    if (!state) return;
    this.#opened ??= state;
    if (this.#opened.uidValidity !== state.uidValidity) throw renumbered();
  }
}

/** The mailbox's UIDs were numbered again: what is known by them is worth nothing. */
export function renumbered(): ProviderError {
  return new ProviderError('cursor-expired', 'The mail server numbered the mailbox again.');
}
