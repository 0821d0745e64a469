import { isRejectedWithValue } from '@reduxjs/toolkit';
import { toasts } from '../../ui/toast.tsx';

/** Loads with a sentence of their own; null: their screen says it, and no toast appears. */
const SENTENCES: Record<string, string | null> = {
  viewResults: 'Failed fetching view data',
  signInPreview: null,
};
/** Questions about what a person typed: the answer beside the box says what is wrong with it. */
const QUESTIONS: readonly unknown[] = ['runQuery', 'planSync'];

function isRefusal(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null || !('status' in payload)) return false;
  const { status } = payload;
  return typeof status === 'number' && status >= 400 && status < 500;
}

/** Returns the endpoint of a load that failed; undefined for every other action and for the end of a session. */
function failedLoad(action: unknown): string | undefined {
  if (!isRejectedWithValue(action)) return undefined;
  const { arg } = action.meta;
  if (typeof arg !== 'object' || arg === null || !('type' in arg) || arg.type !== 'query') return undefined;
  const { payload } = action;
  const status = typeof payload === 'object' && payload !== null && 'status' in payload && payload.status;
  return status !== 401 && 'endpointName' in arg ? String(arg.endpointName) : undefined;
}

/** Shows the toast of a load that failed. Loads that fail together share one. */
export function announceFailedLoad(action: unknown): void {
  const endpoint = failedLoad(action);
  if (endpoint === undefined) return;
  if (QUESTIONS.includes(endpoint) && isRefusal((action as { payload?: unknown }).payload)) return;
  const sentence = endpoint in SENTENCES ? SENTENCES[endpoint] : 'There was an error fetching the data';
  if (sentence) toasts.errorOnce(sentence);
}
