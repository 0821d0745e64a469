/** Replaces `web-build.ts` in the npm package, which holds the built web app. */
import { fileURLToPath } from 'node:url';

/** Returns the folder to serve. */
export async function ensureWebBuild(): Promise<string> {
  return fileURLToPath(new URL('../web', import.meta.url));
}
