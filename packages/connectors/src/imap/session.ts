import type { ImapFlow } from 'imapflow';
import { type Credentials, type ProviderClient, ProviderError } from '../sdk/index.ts';
import { accountOf } from './account.ts';
import { classifyImap } from './classify.ts';
import { type OpenOptions, openImap, untilAbort } from './open.ts';

/** A mailbox as it was when it was opened. */
export interface MailboxState {
  /** Changes when the mailbox's UIDs begin anew. */
  uidValidity: string;
  /** Messages to come have this UID or a greater one. */
  uidNext: number;
  /** Number of the latest change; null where the server does not count changes. */
  modseq: string | null;
}

interface Attempt {
  credentials: Credentials;
  signal: AbortSignal;
  silenceMs: number;
}

/** How sessions are opened. */
export type SessionOptions = Pick<OpenOptions, 'hosts' | 'ca'>;

/**
 * One reader's connection: opened with its mailbox at the first request and again after a loss. The mailbox is opened
 * read-only, so reading marks nothing as seen.
 */
export class ImapSession {
  readonly #client: ProviderClient;
  readonly #options: SessionOptions;
  readonly #mailbox: string | undefined;
  #imap: ImapFlow | undefined;
  #opened: MailboxState | undefined;

  /** @param mailbox undefined: none is opened */
  constructor(client: ProviderClient, options: SessionOptions, mailbox?: string) {
    this.#client = client;
    this.#options = options;
    this.#mailbox = mailbox;
  }

  /** Runs one command or few, within the quota and with retries. @throws ProviderError */
  run<T>(task: (imap: ImapFlow) => Promise<T>): Promise<T> {
    return this.#client.exchange({
      units: 1,
      classify: classifyImap,
      send: async (attempt) => {
        const imap = await this.#connect(attempt);
        return untilAbort(imap, attempt.signal, () => task(imap));
      },
    });
  }

  /** The mailbox as this session first found it. @throws ProviderError */
  async state(): Promise<MailboxState> {
    if (!this.#opened) await this.run(async () => undefined);
    return this.#opened as MailboxState;
  }

  /** Ends the connection without a word: nothing is under way, and the server need not answer. */
  close(): void {
    this.#imap?.close();
    this.#imap = undefined;
  }

  async #connect({ credentials, ...attempt }: Attempt): Promise<ImapFlow> {
    if (this.#imap?.usable) return this.#imap;
    this.close();
    const account = accountOf(credentials.fields);
    const password = credentials.accessToken;
    const imap = await openImap(account, { ...this.#options, ...attempt, password });
    this.#imap = imap;
    if (this.#mailbox !== undefined) await this.#select(imap, this.#mailbox, attempt.signal);
    return imap;
  }

  async #select(imap: ImapFlow, mailbox: string, signal: AbortSignal): Promise<void> {
    try {
      const box = await untilAbort(imap, signal, () => imap.mailboxOpen(mailbox, { readOnly: true }));
      const counts = box.highestModseq !== undefined && box.noModseq !== true;
      const state = {
        uidValidity: String(box.uidValidity),
        uidNext: box.uidNext,
        modseq: counts ? String(box.highestModseq) : null,
      };
      this.#opened ??= state;
      if (this.#opened.uidValidity !== state.uidValidity) throw renumbered();
    } catch (error) {
      this.close();
      throw error;
    }
  }
}

/** The mailbox's UIDs began anew: what is known by them is worth nothing. */
export function renumbered(): ProviderError {
  return new ProviderError('cursor-expired', 'The mail server numbered the mailbox anew.');
}
