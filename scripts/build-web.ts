/** Builds the web app if its sources changed, so that no two tests build it at the same time. */
import { ensureWebBuild } from '../packages/server/src/app/web-build.ts';
import { createLogger } from '../packages/server/src/platform/log.ts';

await ensureWebBuild(createLogger('warn'));
