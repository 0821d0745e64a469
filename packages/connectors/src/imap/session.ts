import {
  type Credentials,
  isLoopback,
  type ProviderClient,
  ProviderError,
  resolveHost,
  Semaphore,
  TaskThread,
} from '../sdk/index.ts';
import { type Account, parseAccount } from './account.ts';
import { classifyImap, MESSAGES } from './classify.ts';
import { NOT_NUMBERED } from './numbering.ts';
import { NOT_OPEN, type SessionAnswers, type SessionRequests, type SessionTask } from './session-tasks.ts';

/** Options for opening sessions. */
export interface SessionOptions {
  /** Allowed host names, `*.domain` or `*`. */
  hosts: readonly string[];
  /** A certificate authority to trust in addition to the system's, PEM. */
  ca?: string | undefined;
  /** Returns server and user from the stored fields. Default: all of them are stored. @throws ProviderError */
  accountOf?(fields: Credentials['fields']): Account;
  /** Whether `accessToken` is a token of OAuth, for XOAUTH2 or OAUTHBEARER. Default: it is a password. */
  usesToken?: boolean;
  /** Classifies failures. Default: `classifyImap`. */
  classify?: typeof classifyImap;
}

interface Attempt {
  credentials: Pick<Credentials, 'accessToken' | 'fields'>;
  signal: AbortSignal;
  idleTimeoutMs: number;
}

const SCRIPT = new URL('./session-thread.ts', import.meta.url);
/** A thread without a heartbeat for 10 s is stuck in data from the server. */
const LIMITS = { timeoutMs: 10_000, heapMb: 384 };
/** Largest number of concurrent sessions in this process; others wait. */
const MAX_SESSIONS = 24;
/** Largest number of idle threads kept for the next session. They end by themselves after a while. */
const MAX_SPARE_THREADS = 4;
/** imapflow's codes of a connection that the server ended. */
const ENDED = ['NoConnection', 'EConnectionClosed'];
const sessionSlots = new Semaphore({ concurrency: MAX_SESSIONS });
const spareThreads: TaskThread[] = [];

/** Resolves the host. Without TLS allows only this machine, since the password would be sent in clear text. */
async function addressOf({ host, security }: Account, hosts: readonly string[]): Promise<string> {
  const address = await resolveHost(host, hosts);
  if (security === 'none' && !isLoopback(address))
    throw new ProviderError('invalid', 'A connection without TLS is allowed on this machine only.', {
      field: 'security',
    });
  return address;
}

/** A connection in its own thread, which later sessions reuse. */
export class ImapConnection {
  readonly #options: SessionOptions;
  readonly #mailbox: string | undefined;
  #thread: TaskThread | undefined;

  /** @param mailbox the mailbox to open, if any */
  constructor(options: SessionOptions, mailbox?: string) {
    this.#options = options;
    this.#mailbox = mailbox;
  }

  /**
   * Opens the connection.
   * @returns the mailbox's UIDVALIDITY, or null without a mailbox
   * @throws ProviderError of the host policy; imapflow's errors
   */
  async open({ credentials, signal, idleTimeoutMs }: Attempt): Promise<string | null> {
    const { hosts, ca, accountOf = parseAccount, usesToken = false } = this.#options;
    const account = accountOf(credentials.fields);
    const address = await addressOf(account, hosts);
    const secret = { value: credentials.accessToken, isToken: usesToken };
    const open = { account, address, ca, secret, idleTimeoutMs, mailbox: this.#mailbox };
    return this.#run<string | null>({ open }, signal);
  }

  /** Sends a request to the server. @returns undefined when no connection is open */
  async request<Kind extends keyof SessionRequests>(
    task: { [Key in Kind]: SessionRequests[Key] },
    signal: AbortSignal,
  ): Promise<SessionAnswers[Kind] | undefined> {
    const answer = await this.#run<SessionAnswers[Kind] | typeof NOT_OPEN>(
      task as unknown as SessionTask,
      signal,
    );
    return answer === NOT_OPEN ? undefined : answer;
  }

  /** Closes the connection. @param withLogout whether to send LOGOUT first */
  async close(withLogout = false): Promise<void> {
    const thread = this.#thread;
    if (!thread) return;
    this.#thread = undefined;
    const task: SessionTask = { close: { withLogout } };
    const isReusable = await thread.run(task).then(
      () => true,
      () => false,
    );
    if (isReusable && spareThreads.length < MAX_SPARE_THREADS) spareThreads.push(thread);
    else thread.end();
    sessionSlots.release();
  }

  /** Runs a task in the thread; ends the thread on abort. */
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

/** Thrown when the server repeatedly ends the connection instead of answering one request. */
export class ConnectionEndedError extends ProviderError {}

/** Returns whether the server ended the connection; a server that stalls does not. */
function isEndedByServer(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  return ENDED.includes(code);
}

/** The connection of one read. Opens at the first request and reopens after a loss. */
export class ImapSession {
  readonly #client: ProviderClient;
  readonly #connection: ImapConnection;
  readonly #classify: typeof classifyImap;
  #uidValidity: string | undefined;

  /** @param mailbox the mailbox to open, if any */
  constructor(client: ProviderClient, options: SessionOptions, mailbox?: string) {
    this.#client = client;
    this.#connection = new ImapConnection(options, mailbox);
    this.#classify = options.classify ?? classifyImap;
  }

  /**
   * Sends one request, within the quota and with retries.
   * @param maxLosses times that the server may end the connection instead of answering. Default: all retries
   * @throws ProviderError, ConnectionEndedError
   */
  request<Kind extends keyof SessionRequests>(
    task: { [Key in Kind]: SessionRequests[Key] },
    maxLosses = Number.POSITIVE_INFINITY,
  ): Promise<SessionAnswers[Kind]> {
    let losses = 0;
    const ask = ({ signal }: Attempt) =>
      this.#connection.request(task, signal).catch((error) => {
        if (!isEndedByServer(error) || ++losses < maxLosses) throw error;
        throw new ConnectionEndedError('malformed', MESSAGES.malformed, { cause: error });
      });
    return this.#client.exchange({
      units: 1,
      classify: this.#classify,
      send: async (attempt) => {
        const answerIfOpen = await ask(attempt);
        if (answerIfOpen !== undefined) return answerIfOpen;
        this.#checkUidValidity(await this.#connection.open(attempt));
        const answer = await ask(attempt);
        if (answer === undefined) throw new Error('the connection was lost');
        return answer;
      },
    });
  }

  /**
   * Returns the UIDVALIDITY that identifies the mailbox's messages. A server that omits it has not renumbered them.
   * @param stored the one of an earlier run
   * @throws ProviderError `cursor-expired` if it differs
   */
  async uidValidity(stored?: string): Promise<string> {
    if (this.#uidValidity === undefined) await this.request({ count: {} });
    const opened = this.#uidValidity ?? NOT_NUMBERED;
    if (stored === undefined) return opened;
    if (isRenumbered(stored, opened)) throw uidValidityChangedError();
    return stored;
  }

  /** Closes the connection without LOGOUT; no request is in flight. */
  close(): void {
    void this.#connection.close();
  }

  #checkUidValidity(opened: string | null): void {
    if (opened === null) return;
    this.#uidValidity ??= opened;
    if (isRenumbered(this.#uidValidity, opened)) throw uidValidityChangedError();
  }
}

/** Returns whether two UIDVALIDITY values of a mailbox are known and differ. */
function isRenumbered(before: string, after: string): boolean {
  return before !== after && before !== NOT_NUMBERED && after !== NOT_NUMBERED;
}

/** Creates the error for a changed UIDVALIDITY, which invalidates all stored UIDs. */
function uidValidityChangedError(): ProviderError {
  return new ProviderError('cursor-expired', 'The mail server renumbered the mailbox (UIDVALIDITY changed).');
}
