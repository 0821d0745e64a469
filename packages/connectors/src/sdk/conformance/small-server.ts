import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on a free port of the loopback address. */
export interface SmallServer {
  url: string;
  /** Closes the server and all its connections. */
  close(): void;
}

/** Starts a server with the given request handler. */
export async function startSmallServer(answer: RequestListener): Promise<SmallServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
