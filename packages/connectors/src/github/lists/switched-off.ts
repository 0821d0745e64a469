import { ProviderError } from '../../sdk/index.ts';
import { ISSUES_OFF } from '../api/classify.ts';
import type { EntityReader } from './entity-reader.ts';
import { cursorAt } from './watermark.ts';

/** A later run reads everything from this cursor. */
const BEGINNING = cursorAt(0, 0, { total: 0, newestNumber: 0, etag: null });

function isSwitchedOff(error: unknown): boolean {
  return error instanceof ProviderError && error.message.endsWith(ISSUES_OFF);
}

/**
 * Returns a reader that finds nothing in a repository whose issues are switched off, as in most forks. What was stored before
 * stays, since GitHub has it still.
 */
export function unlessSwitchedOff(reader: EntityReader): EntityReader {
  return {
    async *read(request) {
      try {
        return yield* reader.read(request);
      } catch (error) {
        if (!isSwitchedOff(error)) throw error;
        return { cursor: request.cursor ?? BEGINNING, truncated: false, isListPartial: true };
      }
    },
    async estimate(request) {
      try {
        return await reader.estimate(request);
      } catch (error) {
        if (!isSwitchedOff(error)) throw error;
        return { total: 0, records: 0, requests: 1, units: 1 };
      }
    },
    async *listIds(request) {
      try {
        yield* reader.listIds(request);
      } catch (error) {
        if (!isSwitchedOff(error)) throw error;
      }
    },
  };
}
