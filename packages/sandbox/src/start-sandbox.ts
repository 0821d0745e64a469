import Fastify from 'fastify';
import { createSandbox, type Sandbox } from './sandbox.ts';
import type { SandboxOptions } from './settings/sandbox-options.ts';

/** Where a sandbox with its own server listens. `port` defaults to a free one, `host` to 127.0.0.1. */
export interface ListenOptions {
  port?: number;
  host?: string;
}

/** What a server of its own adds to a sandbox. */
export interface OwnServer {
  url: string;
  close(): Promise<void>;
}

/** A sandbox with its own server. */
export type StartedSandbox = Sandbox & OwnServer;

/** Starts a sandbox with its own server. */
export function startSandbox(
  options: Omit<SandboxOptions, 'baseUrl'> & ListenOptions = {},
): Promise<StartedSandbox> {
  return serveAlone((baseUrl) => createSandbox({ ...options, baseUrl }), options);
}

/** Creates a sandbox and serves it alone. */
export async function serveAlone<Kind extends Sandbox>(
  create: (baseUrl: () => string) => Kind,
  { port = 0, host = '127.0.0.1' }: ListenOptions,
): Promise<Kind & OwnServer> {
  let url = '';
  const sandbox = create(() => url);
  const app = Fastify({ forceCloseConnections: true });
  await app.register(sandbox.plugin);
  url = await app.listen({ port, host });
  return { ...sandbox, url, close: () => app.close() };
}
