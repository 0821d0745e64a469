import type { Transform } from 'node:stream';
import { ImapFlow, type ImapFlowOptions } from 'imapflow';

/** Largest part of a message's content that is read. */
export const MESSAGE_BYTES = 128 * 1024;
/** Largest part of a file that one command fetches. */
export const FILE_PIECE_BYTES = 512 * 1024;
/** Allowance for the protocol text around a message's content, or around a line. */
const MARGIN_BYTES = 64 * 1024;
/** Longest line: the UIDs of fifty thousand messages. */
const MAX_LINE_BYTES = 640 * 1024;
/** Bytes that a server may send during sign-in, while a mailbox is opened, and after each command. */
export const GREETING_BYTES = 512 * 1024;
/** Bytes that must arrive within three idle timeouts during a command; fewer count as stalled. */
const MIN_BYTES_PER_CHECK = 4 * 1024;
const STALL_FACTOR = 3;

interface Violation extends Error {
  code: string;
}

type Attribute = { type: 'ATOM' | 'STRING'; value: string } | Attribute[];
interface Response {
  attributes?: ({ value?: unknown } | ({ value?: unknown } | null)[] | null)[];
}
/** imapflow's method that sends one command. Its result must be released with `next`. */
type Execute = (
  command: string,
  attributes: Attribute[],
  options?: { untagged?: Record<string, (response: Response) => Promise<void>> },
) => Promise<{ next(): void }>;

const { exec: EXECUTE } = ImapFlow.prototype as unknown as { exec: Execute };
/** Names that need no quotes. */
const ATOM = /^[\w./-]+$/;

/** Returns the token of a mailbox name. */
function nameToken(value: string): Attribute {
  return { type: ATOM.test(value) ? 'ATOM' : 'STRING', value };
}

/** Returns the text of a string, literal or atom. */
function textOf(attribute: unknown): string {
  const { value } = (attribute ?? {}) as { value?: unknown };
  return typeof value === 'string' || Buffer.isBuffer(value) ? value.toString() : '';
}

/** Message counts and numbering of a mailbox in a STATUS response. The server may omit any of them. */
export interface MailboxStatus {
  messages?: number;
  unseen?: number;
  uidvalidity?: number;
}

function violation(code: string, message: string): Violation {
  return Object.assign(new Error(message), { code });
}

/**
 * A connection with limits against hostile servers: on lines, literals, and the bytes of each command (after
 * decompression), and on slow servers that drip data. Parsing takes linear time within these limits.
 */
export class BoundedImap extends ImapFlow {
  readonly #idleTimeoutMs: number;
  #bytesLeft = GREETING_BYTES;
  #bytesReceived = 0;
  #violation: Violation | undefined;
  #wireName: string | undefined;

  constructor(options: ImapFlowOptions & { socketTimeout: number }) {
    super({
      ...options,
      maxLineLength: MAX_LINE_BYTES,
      // Each command has a limit of its own, which most set lower.
      maxLiteralSize: FILE_PIECE_BYTES + MARGIN_BYTES,
      maxResponseSize: MAX_LINE_BYTES + MARGIN_BYTES,
    });
    this.#idleTimeoutMs = options.socketTimeout;
    // All received data passes through this stream, decrypted and decompressed.
    const { streamer } = this as unknown as { streamer: Transform };
    const pass = streamer._transform.bind(streamer);
    streamer._transform = (chunk: Buffer, encoding, next) => {
      this.#bytesReceived += chunk.length;
      this.#bytesLeft -= chunk.length;
      if (this.#bytesLeft >= 0) return pass(chunk, encoding, next);
      this.#closeWith(violation('ResponseTooLarge', 'The server sent more data than requested'));
      next();
    };
    // imapflow reports an exceeded limit only here; the running command only sees a closed connection.
    this.on('error', (error: Violation) => {
      this.#violation ??= error;
    });
  }

  /** Ignores VANISHED responses, which we never request: imapflow would expand their ranges without a limit. */
  async untaggedVanished(): Promise<void> {}

  /**
   * Runs one or more commands whose responses have at most `bytes` bytes in total, including protocol text. Closes the
   * connection on a violation.
   * @throws imapflow's errors; code `ResponseTooLarge` beyond the limit, `ETIMEDOUT` for a stalled server
   */
  async command<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    this.#bytesLeft = bytes;
    let seen = this.#bytesReceived;
    const watch = setInterval(() => {
      if (this.#bytesReceived - seen < MIN_BYTES_PER_CHECK)
        this.#closeWith(violation('ETIMEDOUT', 'The server sends data too slowly'));
      seen = this.#bytesReceived;
    }, STALL_FACTOR * this.#idleTimeoutMs);
    try {
      return await work();
    } catch (error) {
      throw this.#violation ?? error;
    } finally {
      clearInterval(watch);
      this.#bytesLeft = GREETING_BYTES;
    }
  }

  /** Prefix of the user's own mailboxes, e.g. `INBOX.`; else empty. */
  personalPrefix = '';

  /**
   * Prepares a signed-in connection: imapflow no longer adds the prefix to names, which would make the name of another
   * mailbox, nor asks for MODSEQ, which servers announce and then refuse.
   */
  takeNamesAsListed(): void {
    if (this.namespace) {
      this.personalPrefix = this.namespace.prefix;
      this.namespace.prefix = '';
    }
    this.enabled.delete('CONDSTORE');
  }

  /**
   * Opens a mailbox read-only, so that reading does not set \Seen.
   * @param name the name as the server lists it, which imapflow would encode, prefix or look up by LIST
   */
  async examine(name: string): Promise<ReturnType<ImapFlow['mailboxOpen']>> {
    const { folders } = this as unknown as { folders: Map<string, object> };
    if (!folders.has(name)) folders.set(name, {});
    this.#wireName = name;
    return this.mailboxOpen(name, { readOnly: true });
  }

  /** Sends STATUS for a mailbox. @param name the name as the server lists it; default: the open mailbox */
  async statusOf(name = this.#wireName ?? 'INBOX', items = ['MESSAGES', 'UNSEEN']): Promise<MailboxStatus> {
    const status: Record<string, number> = {};
    const STATUS = async ({ attributes = [] }: Response) => {
      const list = attributes[1];
      if (!Array.isArray(list)) return;
      for (let index = 0; index + 1 < list.length; index += 2) {
        const [key, value] = [textOf(list[index]).toLowerCase(), textOf(list[index + 1])];
        if (/^\d{1,10}$/.test(value)) status[key] = Number(value);
      }
    };
    const query: Attribute[] = items.map((value) => ({ type: 'ATOM', value }));
    const response = await this.exec('STATUS', [nameToken(name), query], { untagged: { STATUS } });
    response.next();
    return status;
  }

  /** Calls back with each name that LIST returns for a pattern, as the server writes it. */
  async listNames(pattern: string, add: (name: string) => void): Promise<void> {
    const LIST = async ({ attributes = [] }: Response) => add(textOf(attributes[2]));
    const names: Attribute[] = ['', pattern].map((value) => ({ type: 'STRING', value }));
    const response = await this.exec('LIST', names, { untagged: { LIST } });
    response.next();
  }

  /** Sends a command. imapflow's own commands pass here, too. */
  exec(...[command, attributes, options]: Parameters<Execute>): ReturnType<Execute> {
    const isOpening = command === 'EXAMINE' && this.#wireName !== undefined;
    const sent = isOpening ? [nameToken(this.#wireName ?? '')] : attributes;
    return EXECUTE.call(this, command, sent, options);
  }

  #closeWith(reason: Violation): void {
    this.#violation ??= reason;
    this.close();
  }
}
