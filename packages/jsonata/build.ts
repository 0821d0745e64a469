/** `npm run build -w packages/jsonata`: builds the package into `dist`. */
import { join } from 'node:path';
import { buildPackage as build } from '../../scripts/build-package.ts';

/** Builds the package into a folder, which is emptied first. */
export function buildPackage(folder: string): Promise<void> {
  return build(import.meta.dirname, folder, { platform: 'neutral' });
}

if (import.meta.main) await buildPackage(join(import.meta.dirname, 'dist'));
