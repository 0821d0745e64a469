import type { Sandbox, SandboxOptions } from '@datadeck/sandbox';
import type { Config } from './platform/config/config.ts';

/** Creates a sandbox. Default: the product's; tests have one that they control. */
export type CreateSandbox = (options: SandboxOptions) => Sandbox;

/** Creates the sandbox, which the product serves below its own URL, if it is enabled. */
export async function createProductSandbox(
  config: Config,
  address: () => string,
  create?: CreateSandbox,
): Promise<Sandbox | undefined> {
  if (!config.sandbox) return undefined;
  const createSandbox = create ?? (await import('@datadeck/sandbox')).createSandbox;
  return createSandbox({
    baseUrl: () => `${address()}/sandbox`,
    quotaScale: config.SANDBOX_QUOTA_SCALE,
    quotaTimeScale: config.QUOTA_TIME_SCALE,
    latencyMs: config.SANDBOX_LATENCY_MS,
    ...(config.SANDBOX_FOLDER === undefined ? {} : { folder: config.SANDBOX_FOLDER }),
  });
}
