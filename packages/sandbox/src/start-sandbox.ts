import Fastify from 'fastify';
import { createSandbox, type Sandbox } from './sandbox.ts';
import type { SandboxOptions } from './settings/sandbox-options.ts';

/** A sandbox with a server of its own. */
export type StartedSandbox = Sandbox & { url: string; close(): Promise<void> };

/** Starts a sandbox alone. `port` 0 or none takes a free one; `host` is 127.0.0.1 unless told. */
export async function startSandbox(
  options: Omit<SandboxOptions, 'baseUrl'> & { port?: number; host?: string },
): Promise<StartedSandbox> {
  const { port = 0, host = '127.0.0.1', ...rest } = options;
  let url = '';
  const sandbox = createSandbox({ ...rest, baseUrl: () => url });
  const app = Fastify({ forceCloseConnections: true });
  await app.register(sandbox.plugin);
  url = await app.listen({ port, host });
  return { ...sandbox, url, close: () => app.close() };
}
