import type { Transform } from 'node:stream';
import { ImapFlow, type ImapFlowOptions } from 'imapflow';

/** Largest part of a message's content that is read. */
export const MESSAGE_BYTES = 128 * 1024;
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

  constructor(options: ImapFlowOptions & { socketTimeout: number }) {
    super({
      ...options,
      maxLineLength: MAX_LINE_BYTES,
      maxLiteralSize: MESSAGE_BYTES + MARGIN_BYTES,
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

  #closeWith(reason: Violation): void {
    this.#violation ??= reason;
    this.close();
  }
}
