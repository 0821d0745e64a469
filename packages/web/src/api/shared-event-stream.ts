import { type EventStream, openEventStream } from './event-stream.ts';

/** Messages from a page to the shared worker. */
export type PageMessage = { type: 'open'; token: string } | { type: 'wake' } | { type: 'close' };
/** Messages from the shared worker to a page: an event, possibly missed events, or a rejected session. */
export type StreamMessage = { type: 'data'; data: string } | { type: 'reconnected' } | { type: 'refused' };

/** The part of `MessagePort` that this class uses. */
interface Port {
  postMessage(message: StreamMessage): void;
}

interface Shared {
  stream: EventStream;
  ports: Set<Port>;
}

/** Shares one event stream among all pages of a session, because browsers open only six connections per server. */
export class SharedEventStreams {
  readonly #url: string;
  readonly #streams = new Map<string, Shared>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Handles a message from a page. */
  receive(port: Port, message: PageMessage): void {
    if (message.type === 'open') this.#subscribe(port, message.token);
    else if (message.type === 'close') this.#unsubscribe(port);
    else for (const { stream, ports } of this.#streams.values()) if (ports.has(port)) stream.wake();
  }

  /** Adds the page to the stream of its session, which is opened for the first page. */
  #subscribe(port: Port, token: string): void {
    this.#unsubscribe(port);
    const shared = this.#streams.get(token);
    if (shared) shared.ports.add(port);
    else this.#streams.set(token, { stream: this.#open(token), ports: new Set([port]) });
  }

  #open(token: string): EventStream {
    const send = (message: StreamMessage) => {
      for (const port of this.#streams.get(token)?.ports ?? []) port.postMessage(message);
    };
    return openEventStream({
      url: this.#url,
      token,
      onData: (data) => send({ type: 'data', data }),
      onReconnect: () => send({ type: 'reconnected' }),
      onRefused: () => {
        send({ type: 'refused' });
        this.#streams.delete(token);
      },
    });
  }

  #unsubscribe(port: Port): void {
    for (const [token, { stream, ports }] of this.#streams) {
      if (!ports.delete(port) || ports.size > 0) continue;
      stream.close();
      this.#streams.delete(token);
    }
  }
}
