import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** Handles a command with a fault: answers it or closes the connection. */
type FaultHandler = (command: Command) => void;

interface Command {
  tag: string;
  client: Socket;
  upstream: Socket;
  /** Forwards the command to the server. */
  pass(): void;
}

const refuse =
  (code: string): FaultHandler =>
  ({ tag, client }) =>
    void client.write(`${tag} NO [${code}] refused by the proxy\r\n`);

interface Fault {
  at: RegExp;
  handle: FaultHandler;
}

const SIGN_IN = /^(LOGIN|AUTHENTICATE)$/;
const READING = /^(EXAMINE|SELECT|LIST|STATUS|SEARCH|FETCH)$/;

/** Faults of a mail server or its network, by name. */
const FAULTS: Record<string, Fault> = {
  'connection-reset': { at: READING, handle: ({ client }) => client.resetAndDestroy() },
  'stalled-stream': { at: READING, handle: () => undefined },
  'torn-answer': {
    at: READING,
    handle({ client, upstream, pass }) {
      upstream.unpipe(client);
      upstream.once('data', (bytes: Buffer) => client.end(bytes.subarray(0, bytes.length / 2)));
      // `unpipe` pauses the stream, so resume it; otherwise the response would stall.
      upstream.resume();
      pass();
    },
  },
  bye: { at: READING, handle: ({ client }) => void client.end('* BYE shutting down\r\n') },
  unavailable: { at: READING, handle: refuse('UNAVAILABLE') },
  'unavailable-at-sign-in': { at: SIGN_IN, handle: refuse('UNAVAILABLE') },
  'too-many-connections': { at: SIGN_IN, handle: refuse('LIMIT') },
  'token-expired': { at: SIGN_IN, handle: refuse('AUTHENTICATIONFAILED') },
  'mailbox-missing': { at: /^EXAMINE$/, handle: refuse('NONEXISTENT') },
  'no-permission': { at: /^EXAMINE$/, handle: refuse('NOPERM') },
  'fetch-refused': { at: /^FETCH$/, handle: ({ tag, client }) => void client.write(`${tag} BAD what?\r\n`) },
};

/** Removes CONDSTORE (RFC 7162) from a server's responses, to simulate a server without it. */
function withoutCondstore(): Transform {
  let rest = '';
  const plain = (line: string) =>
    line.includes('CAPABILITY') ? line.replaceAll(/ (CONDSTORE|QRESYNC)\b/g, '') : line;
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      const kept = lines.filter((line) => !line.startsWith('* OK [HIGHESTMODSEQ'));
      done(null, Buffer.from(kept.map((line) => `${plain(line)}\r\n`).join(''), 'latin1'));
    },
  });
}

interface PendingFault extends Fault {
  times: number;
  /** Number of commands to pass before the fault. */
  after: number;
}

/** A proxy between the connector and a mail server, without TLS, that injects faults into commands. */
export class FaultProxy {
  readonly #server: Server;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #pendingFaults: PendingFault[] = [];
  /** Running commands by connection. */
  readonly #pending = new Map<Socket, Set<string>>();
  /** Largest number of connections with running commands, which mail servers limit. */
  mostInFlight = 0;
  readonly #hidesCondstore: boolean;

  private constructor(target: number, hidesCondstore: boolean) {
    this.#target = target;
    this.#hidesCondstore = hidesCondstore;
    this.#server = createServer((client) => this.#join(client));
  }

  /** @param hidesCondstore whether to simulate a server without CONDSTORE */
  static async start(target: number, hidesCondstore = false): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, hidesCondstore);
    proxy.#server.listen(0, '127.0.0.1');
    await new Promise((resolve) => proxy.#server.once('listening', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  inject({
    name,
    times = 1,
    afterRequests = 0,
  }: {
    name: string;
    times?: number;
    afterRequests?: number;
  }): void {
    const fault = FAULTS[name];
    if (!fault) throw new RangeError(`no fault is called ${name}`);
    this.#pendingFaults.push({ ...fault, times, after: afterRequests });
  }

  /** Resets faults and counters and closes open connections. */
  reset(): void {
    this.#pendingFaults = [];
    this.mostInFlight = 0;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.reset();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket): void {
    const upstream = connect(this.#target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        this.#pending.delete(client);
        client.destroy();
        upstream.destroy();
      });
    }
    (this.#hidesCondstore ? upstream.pipe(withoutCondstore()) : upstream).pipe(client);
    const pending = new Set<string>();
    this.#pending.set(client, pending);
    upstream.on('data', (bytes: Buffer) => {
      for (const [, tag = ''] of bytes.toString('latin1').matchAll(/^(\S+) (?:OK|NO|BAD)/gm))
        pending.delete(tag);
    });
    let rest = '';
    client.on('data', (bytes: Buffer) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#take(line, { client, upstream, pending });
    });
  }

  #take(line: string, link: { client: Socket; upstream: Socket; pending: Set<string> }): void {
    const [, tag = '', name = ''] = line.match(/^(\S+) (?:UID )?(\w+)/) ?? [];
    const pass = () => {
      link.pending.add(tag);
      const busy = [...this.#pending.values()].filter(({ size }) => size > 0);
      this.mostInFlight = Math.max(this.mostInFlight, busy.length);
      link.upstream.write(`${line}\r\n`, 'latin1');
    };
    const handle = this.#handlerFor(name);
    if (handle) handle({ ...link, tag, pass });
    else pass();
  }

  #handlerFor(name: string): FaultHandler | undefined {
    for (const fault of this.#pendingFaults) {
      if (fault.times <= 0 || !fault.at.test(name)) continue;
      if (fault.after-- > 0) continue;
      fault.times--;
      return fault.handle;
    }
    return undefined;
  }
}
