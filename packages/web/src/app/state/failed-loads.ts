import { isRejectedWithValue } from '@reduxjs/toolkit';
import { toasts } from '../../ui/toast.tsx';

/** Toast texts by endpoint. Null: the screen itself shows the failure, so no toast appears. */
const SENTENCES: Record<string, string | null> = {
  viewResults: 'Failed fetching view data',
  signInPreview: null,
  previewInvitation: null,
  sharedDetails: null,
  sharedWithMe: null,
  invitations: null,
  search: null,
  searchValues: null,
  recordReading: null,
  recordConversation: null,
};
/** Endpoints that check user input. Their 4xx responses are shown next to the input instead. */
const INPUT_CHECKS: readonly unknown[] = ['runQuery', 'planSync'];

function isRefusal(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null || !('status' in payload)) return false;
  const { status } = payload;
  return typeof status === 'number' && status >= 400 && status < 500;
}

/** Returns the endpoint of a failed load; undefined for other actions and for an ended session (401). */
function failedLoad(action: unknown): string | undefined {
  if (!isRejectedWithValue(action)) return undefined;
  const { arg } = action.meta;
  if (typeof arg !== 'object' || arg === null || !('type' in arg) || arg.type !== 'query') return undefined;
  const { payload } = action;
  const status = typeof payload === 'object' && payload !== null && 'status' in payload && payload.status;
  return status !== 401 && 'endpointName' in arg ? String(arg.endpointName) : undefined;
}

/** Shows a toast for a failed load. Loads that fail at the same time share one toast. */
export function announceFailedLoad(action: unknown): void {
  const endpoint = failedLoad(action);
  if (endpoint === undefined) return;
  if (INPUT_CHECKS.includes(endpoint) && isRefusal((action as { payload?: unknown }).payload)) return;
  const sentence = endpoint in SENTENCES ? SENTENCES[endpoint] : 'There was an error fetching the data';
  if (sentence) toasts.errorOnce(sentence);
}
