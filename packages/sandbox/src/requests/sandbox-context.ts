import type { Settings } from '../settings/sandbox-options.ts';
import type { SandboxHooks } from './api.ts';

/** Services that all parts of the sandbox share. */
export interface SandboxContext {
  settings: Settings;
  hooks: SandboxHooks;
}
