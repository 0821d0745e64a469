import type { Transform } from 'node:stream';
import { ImapFlow, type ImapFlowOptions } from 'imapflow';

/** Bytes of a message's contents that are read at most, and of the text around them. */
export const MESSAGE_BYTES = 128 * 1024;
const MARGIN_BYTES = 64 * 1024;
/** The longest line is the list of the UIDs of fifty thousand messages. */
const MAX_LINE_BYTES = 640 * 1024;
/** Bytes that a server may send until it has signed us in and opened the mailbox, and between commands. */
export const GREETING_BYTES = 512 * 1024;
/** Bytes that a command brings at least while its server may be silent three times as long as usual. */
const MIN_BYTES_PER_CHECK = 4 * 1024;
const DRIP_FACTOR = 3;

interface Violation extends Error {
  code: string;
}

function violation(code: string, message: string): Violation {
  return Object.assign(new Error(message), { code });
}

/**
 * A connection whose server cannot make it hold or do more than was asked for: lines, literals, and the bytes of each command
 * are limited (after decompression), and a server that drips is given up. What the limits let through is parsed in
 * linear time.
 */
export class BoundedImap extends ImapFlow {
  readonly #idleTimeoutMs: number;
  #bytesLeft = GREETING_BYTES;
  #received = 0;
  #violation: Violation | undefined;

  constructor(options: ImapFlowOptions & { socketTimeout: number }) {
    super({
      ...options,
      maxLineLength: MAX_LINE_BYTES,
      maxLiteralSize: MESSAGE_BYTES + MARGIN_BYTES,
      maxResponseSize: MAX_LINE_BYTES + MARGIN_BYTES,
    });
    this.#idleTimeoutMs = options.socketTimeout;
    // All that is received passes through this stream, decrypted and decompressed.
    const { streamer } = this as unknown as { streamer: Transform };
    const pass = streamer._transform.bind(streamer);
    streamer._transform = (chunk: Buffer, encoding, next) => {
      this.#received += chunk.length;
      this.#bytesLeft -= chunk.length;
      if (this.#bytesLeft >= 0) return pass(chunk, encoding, next);
      this.#giveUp(violation('ResponseTooLarge', 'The server sent more than was asked for'));
      next();
    };
    // A limit that was broken is reported here alone: the command under way learns only that the connection is closed.
    this.on('error', (error: Violation) => {
      this.#violation ??= error;
    });
  }

  /** imapflow expands the ranges of this answer, which is sent to those alone who ask for it: we never do. */
  async untaggedVanished(): Promise<void> {}

  /**
   * Runs one command or several that bring so many bytes together at most.
   * @throws what imapflow throws; `ResponseTooLarge` beyond the limit, `ETIMEDOUT` for a server that drips
   */
  async command<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    this.#bytesLeft = bytes;
    let seen = this.#received;
    const watch = setInterval(() => {
      if (this.#received - seen < MIN_BYTES_PER_CHECK)
        this.#giveUp(violation('ETIMEDOUT', 'The server sends too little'));
      seen = this.#received;
    }, DRIP_FACTOR * this.#idleTimeoutMs);
    try {
      return await work();
    } catch (error) {
      throw this.#violation ?? error;
    } finally {
      clearInterval(watch);
      this.#bytesLeft = GREETING_BYTES;
    }
  }

  #giveUp(reason: Violation): void {
    this.#violation ??= reason;
    this.close();
  }
}
