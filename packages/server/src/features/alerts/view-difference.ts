import { ALERT_KINDS, type ViewDifference } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { watchView } from '../views/index.ts';
import { compareInThread, DEFAULT_KEY_FIELDS } from './compare-with-snapshot.ts';

interface DifferenceRequest {
  userId: string;
  viewId: string;
  /** Id of the run. */
  run: string;
  parameters: string | undefined;
  account?: string | undefined;
  signal?: AbortSignal;
}

/**
 * Compares the rows of a view at the end of a run with those of now, as alerts do.
 * @throws AppError like reading the view as of the run; query-too-complex for more than 20,000 rows
 */
export async function readViewDifference(
  context: Context,
  registry: ConnectorRegistry,
  { run, ...request }: DifferenceRequest,
): Promise<ViewDifference> {
  const keyFields = DEFAULT_KEY_FIELDS;
  const past = await watchView(context, registry, { ...request, asOf: run });
  const before = await compareInThread(past, { keyFields, kinds: [] });
  const present = await watchView(context, registry, request);
  const { changes } = await compareInThread(present, {
    keyFields,
    kinds: ALERT_KINDS,
    snapshot: before.snapshot,
  });
  return changes ?? { appeared: 0, disappeared: 0, changed: 0, rows: [] };
}
