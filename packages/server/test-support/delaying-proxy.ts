import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of a PostgreSQL that delays the bytes of each direction by half a round trip. */
export class DelayingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Delay of a round trip, ms; can be changed at any time. */
  roundTripMs: number;

  private constructor(target: () => Socket, roundTripMs: number) {
    this.roundTripMs = roundTripMs;
    this.#server = createServer({ noDelay: true }, (near) => {
      const far = target();
      this.#join(near, far);
      this.#join(far, near);
    });
  }

  /** Opens a proxy on a free loopback port. @param url URL of the database with host and port, or with a socket folder */
  static async open(url: string, roundTripMs: number): Promise<{ proxy: DelayingProxy; url: string }> {
    const address = new URL(url.replace(/@(%2F[^/]*)\//i, '@localhost/'));
    const folder = /@(%2F[^/]*)\//i.exec(url)?.[1];
    const port = Number(address.port || 5432);
    const target = () =>
      folder === undefined
        ? connect({ host: address.hostname, port, noDelay: true })
        : connect(`${decodeURIComponent(folder)}/.s.PGSQL.${port}`);
    const proxy = new DelayingProxy(target, roundTripMs);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    address.host = `127.0.0.1:${(proxy.#server.address() as AddressInfo).port}`;
    return { proxy, url: address.href };
  }

  /** Forwards bytes in order, each half a round trip after its arrival. */
  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    const later = (step: () => void) => setTimeout(step, this.roundTripMs / 2);
    from.on('data', (bytes) => later(() => to.writable && to.write(bytes)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      later(() => to.destroy());
    });
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
