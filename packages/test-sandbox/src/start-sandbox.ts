import { type ListenOptions, type OwnServer, serveAlone } from '@datadeck/sandbox/parts';
import { createSandbox, type SandboxOptions, type TestSandbox } from './create-sandbox.ts';

/** A test sandbox with its own server. */
export type StartedSandbox = TestSandbox & OwnServer;

/** Starts a test sandbox with its own server. */
export function startSandbox(
  options: Omit<SandboxOptions, 'baseUrl'> & ListenOptions = {},
): Promise<StartedSandbox> {
  return serveAlone((baseUrl) => createSandbox({ ...options, baseUrl }), options);
}
