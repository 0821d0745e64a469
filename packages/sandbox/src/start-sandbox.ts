import Fastify from 'fastify';
import { createSandbox, type Sandbox } from './sandbox.ts';
import type { SandboxOptions } from './settings/sandbox-options.ts';

/** A sandbox with its own server. */
export type StartedSandbox = Sandbox & { url: string; close(): Promise<void> };

/** Starts a sandbox with its own server. `port` defaults to a free one, `host` to 127.0.0.1. */
export async function startSandbox(
  options: Omit<SandboxOptions, 'baseUrl'> & { port?: number; host?: string } = {},
): Promise<StartedSandbox> {
  const { port = 0, host = '127.0.0.1', ...rest } = options;
  let url = '';
  const sandbox = createSandbox({ ...rest, baseUrl: () => url });
  const app = Fastify({ forceCloseConnections: true });
  await app.register(sandbox.plugin);
  url = await app.listen({ port, host });
  return { ...sandbox, url, close: () => app.close() };
}
