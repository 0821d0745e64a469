import { ensureWebBuild } from '../../packages/server/src/app/web-build.ts';
import { createLogger } from '../../packages/server/src/platform/log.ts';

/** Builds the web app once, before the servers of the journeys start. */
export default async function buildWeb(): Promise<void> {
  await ensureWebBuild(createLogger('warn'));
}
