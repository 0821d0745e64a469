/** Replaces `child-code.ts` in the npm package, which holds the bundled child. */
import { fileURLToPath } from 'node:url';
import type { ChildCode } from './child-code.ts';

const MODULE = fileURLToPath(new URL('./evaluation-child.js', import.meta.url));

/** The module that a child process runs, and the files that it may read. */
export const SOURCE_CODE: ChildCode = { module: MODULE, readable: [MODULE] };

/** Returns the child's code. */
export async function bundledCode(): Promise<ChildCode> {
  return SOURCE_CODE;
}
