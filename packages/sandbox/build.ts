/** `npm run build -w packages/sandbox`: builds the package into `dist`. */
import { join } from 'node:path';
import { buildPackage as build } from '../../scripts/build-package.ts';

/** Builds the package into a folder, which is emptied first. */
export function buildPackage(folder: string): Promise<void> {
  return build(import.meta.dirname, folder, {
    platform: 'node',
    assets: ['src/pages/sandbox.css'],
    command: 'datadeck-sandbox',
  });
}

if (import.meta.main) await buildPackage(join(import.meta.dirname, 'dist'));
