import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { addressOf } from '../../platform/config/address.ts';
import type { Config } from '../../platform/config/config.ts';
import { StartError } from '../../platform/start-error.ts';

/** Finds a free port for PORT=0. The sandbox needs the port before the server listens. @throws StartError */
export function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error) =>
      reject(toStartError(error, { HOST: host, PORT: 0 })),
    );
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** Converts a known listen error to a StartError with an explanation. Other errors are returned unchanged. */
function toStartError(error: unknown, config: Pick<Config, 'HOST' | 'PORT'>): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new StartError(
      `Port ${config.PORT} is in use by another program. Stop it, or start Datadeck with another one: PORT=${config.PORT + 1} npm start`,
    );
  }
  if (code === 'EACCES') {
    return new StartError(
      `This user may not listen on port ${config.PORT}. Choose one above 1023, for example PORT=3000.`,
    );
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(
      `HOST=${config.HOST} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all.`,
    );
  }
  return error;
}

/** Listens on the configured host and port. @returns the URL, for example http://127.0.0.1:3000 @throws StartError */
export async function listen(app: FastifyInstance, config: Config): Promise<string> {
  await app.listen({ host: config.HOST, port: config.PORT }).catch((error) => {
    throw toStartError(error, config);
  });
  const { port } = app.server.address() as AddressInfo;
  return addressOf({ HOST: config.HOST, PORT: port });
}
