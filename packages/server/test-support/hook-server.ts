import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Hit {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of webhooks on a port of its own. */
export class HookServer {
  readonly hits: Hit[] = [];
  /** What it answers; null: nothing, ever. */
  status: number | null = 200;
  location: string | undefined;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.hits.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        if (this.status === null) return;
        if (this.location !== undefined) response.setHeader('location', this.location);
        response.writeHead(this.status).end();
      });
    });
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** Ends calls that wait for an answer. */
  hangUp(): void {
    this.#server.closeAllConnections();
  }

  stop(): void {
    this.hangUp();
    this.#server.close();
  }
}

/** Whether a hit is signed with the secret. */
export function isSigned(hit: Hit, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(hit.body).digest('hex');
  return hit.headers['x-datadeck-signature'] === `sha256=${expected}`;
}
