import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Hit {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that receives webhooks. */
export class HookServer {
  readonly hits: Hit[] = [];
  /** Response status; null to never respond. */
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

  /** Closes requests that wait for a response. */
  hangUp(): void {
    this.#server.closeAllConnections();
  }

  stop(): void {
    this.hangUp();
    this.#server.close();
  }
}

/** Returns whether a request is signed with the secret. */
export function isSigned(hit: Hit, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(hit.body).digest('hex');
  return hit.headers['x-datadeck-signature'] === `sha256=${expected}`;
}
