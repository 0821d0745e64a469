import { ProviderError, type ProviderFailure } from '@datadeck/connectors';
import { AppError } from '../../platform/app-error.ts';
import { isStorageFull } from '../../platform/db/failures.ts';
import { ABOUT_SCOPE } from './resolve-scopes.ts';
import { hasScopes } from './run-scopes.ts';
import type { SyncRow } from './to-response.ts';

/** Failures after which a run over several scopes reads the next one. */
const SCOPE_FAILURES = new Set<ProviderFailure>([...ABOUT_SCOPE, 'unavailable', 'cursor-expired']);

/** Returns whether an error concerns the scope that a run over several reads, and not the run. */
export function isFailureOfScope(run: SyncRow, error: unknown): error is ProviderError {
  return hasScopes(run) && error instanceof ProviderError && SCOPE_FAILURES.has(error.failure);
}

/** Returns the code by which a failure is counted; one of a closed list. */
export function failureCodeOf(error: unknown): string {
  if (error instanceof ProviderError) return error.failure;
  if (error instanceof AppError) return error.code;
  return isStorageFull(error) ? 'storage-full' : 'internal';
}
