import { createHash } from 'node:crypto';
import { TaskThread } from '@datadeck/connectors';
import { ALERT_LIMITS, type AlertChanges } from '@datadeck/contract';
import { and, eq } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { queryTooComplex } from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { findRecordSet } from '../records/index.ts';
import { nameRecords } from '../search/index.ts';
import { type WatchedView, watchView } from '../views/index.ts';
import type { AlertRow } from './channels.ts';
import { compareNumber } from './compare-number.ts';
import type { ComparedResult, ResultToCompare } from './compare-result.ts';
import { writeRowTexts } from './row-texts.ts';
import { alertSnapshots } from './tables.ts';

/** Rows of a test. */
const FIRST_ROWS = 5;
export const DEFAULT_KEY_FIELDS = ['_id', 'id'];

const NO_ROWS = { appeared: 0, disappeared: 0, changed: 0, rows: [] };

/** One thread for the whole process. The largest comparison takes about a second. */
const thread = new TaskThread(new URL('./compare-thread.ts', import.meta.url), {
  timeoutMs: 30_000,
  heapMb: 256,
});

/** The result of comparing the rows of an alert's view with those of its snapshot. */
export interface Comparison {
  viewTitle: string;
  /** Columns of the alert after the comparison. */
  compared: Pick<AlertRow, 'dataKey' | 'definition' | 'extraction' | 'rowCount' | 'number'>;
  /** The new snapshot; absent if the stored one is still true. */
  snapshot?: Buffer;
  /** What to tell; absent if nothing of the chosen kinds changed, and for the first comparison. */
  changes?: AlertChanges;
  /** Keys of rows that appeared. */
  newKeys: string[];
}

function definitionOf(definition: string, compared: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([definition, compared]))
    .digest('hex');
}

async function readSnapshot(db: Queryable, { userId, id }: AlertRow): Promise<Buffer | undefined> {
  const [found] = await db
    .select({ rows: alertSnapshots.rows })
    .from(alertSnapshots)
    .where(and(eq(alertSnapshots.userId, userId), eq(alertSnapshots.alertId, id)));
  return found?.rows;
}

/** Compares the rows of a view in a thread. @throws AppError query-too-complex */
export async function compareInThread(
  view: WatchedView,
  task: Omit<ResultToCompare, 'file' | 'shownFields'>,
): Promise<ComparedResult> {
  const result = await view.rows();
  try {
    if (result.count > ALERT_LIMITS.rows)
      throw new AppError(
        'query-too-complex',
        `The result has more than ${ALERT_LIMITS.rows.toLocaleString('en')} rows.`,
      );
    const { descriptor, bytes } = result;
    const { shownFields } = view;
    const compared = await thread.run<ComparedResult | undefined>({
      ...task,
      shownFields,
      file: { descriptor, bytes },
    });
    if (compared === undefined) throw queryTooComplex(' because its rows are too long to be compared');
    return compared;
  } finally {
    result.release();
  }
}

/**
 * Reads all rows of an alert's view and compares them with the stored ones. The first comparison, and the first one after
 * the view, its values, the accounts of the provider or the extraction of its records changed, has nothing to compare with.
 * @returns undefined when the records are those of the last comparison
 * @throws AppError like watchView and its rows
 */
export async function compareWithSnapshot(
  context: Context,
  registry: ConnectorRegistry,
  alert: AlertRow,
  signal: AbortSignal,
): Promise<Comparison | undefined> {
  const { userId, viewId, parameters } = alert;
  const request = { userId, viewId, parameters: parameters ?? undefined, signal };
  const view = await watchView(context, registry, request);
  const keyFields = alert.keyField === null ? DEFAULT_KEY_FIELDS : [alert.keyField];
  const { condition } = alert;
  const definition = definitionOf(view.definition, condition ? ['number', condition.group] : keyFields);
  const extraction = view.entities.reduce(
    (sum, { provider, entity }) => sum + registry.entity(provider, entity).extraction,
    0,
  );
  // An upgrade that extracts records again changes rows that nobody changed.
  const isComparable = alert.definition === definition && alert.extraction >= extraction;
  if (isComparable && alert.dataKey === view.dataKey) return undefined;
  const state = { dataKey: view.dataKey, definition, extraction };
  if (condition) {
    const { number: before, rowCount: rows } = alert;
    const last = isComparable && before !== null && rows !== null ? { number: before, rowCount: rows } : null;
    const { rowCount, number, change } = await compareNumber(view, condition, last);
    const changes = change && { ...NO_ROWS, number: change };
    const compared = { ...state, rowCount, number };
    return { viewTitle: view.title, compared, ...(changes && { changes }), newKeys: [] };
  }
  const { kinds } = alert;
  const wantsWhole = alert.rowText !== '';
  const snapshot = isComparable ? await readSnapshot(context.db, alert) : undefined;
  const compared = await compareInThread(view, { keyFields, kinds, snapshot, wantsWhole });
  const { changes, whole } = compared;
  return {
    viewTitle: view.title,
    compared: { ...state, rowCount: compared.rowCount, number: null },
    ...(compared.snapshot && { snapshot: Buffer.from(compared.snapshot) }),
    ...(changes && { changes: await describeRows(context, registry, alert, { changes, whole }) }),
    newKeys: compared.newKeys,
  };
}

/** Adds to rows that are records how people call them. A row of a view may have any id: only that of a record is one. */
async function nameRows(
  { db }: Context,
  registry: ConnectorRegistry,
  { userId, entity, keyField }: AlertRow,
  changes: AlertChanges,
): Promise<AlertChanges> {
  const set = keyField === null ? await findRecordSet(db, registry, { userId, entity }) : undefined;
  if (!set) return changes;
  const ids = changes.rows.flatMap(({ key }) => (key === null ? [] : [key]));
  const names = await nameRecords(db, registry, set, ids);
  return {
    ...changes,
    rows: changes.rows.map((row) => {
      const record = row.key === null ? undefined : names.get(row.key);
      return record ? { ...row, record } : row;
    }),
  };
}

/** Adds to rows what messages call them: names of records, and the texts of the alert's expression. */
async function describeRows(
  context: Context,
  registry: ConnectorRegistry,
  alert: AlertRow,
  { changes, whole }: { changes: AlertChanges; whole: readonly unknown[] | undefined },
): Promise<AlertChanges> {
  const named = await nameRows(context, registry, alert, changes);
  return whole ? writeRowTexts(context, alert, { changes: named, whole }) : named;
}

/** Reads the first rows of an alert's view as if they had just appeared. @throws AppError like watchView and its rows */
export async function readFirstRows(
  context: Context,
  registry: ConnectorRegistry,
  alert: AlertRow,
): Promise<AlertChanges> {
  const { userId, viewId, parameters, keyField } = alert;
  const view = await watchView(context, registry, { userId, viewId, parameters: parameters ?? undefined });
  const keyFields = keyField === null ? DEFAULT_KEY_FIELDS : [keyField];
  const { first, whole } = await compareInThread(view, {
    keyFields,
    kinds: [],
    firstRows: FIRST_ROWS,
    wantsWhole: alert.rowText !== '',
  });
  const changes = { appeared: first.length, disappeared: 0, changed: 0, rows: first };
  return describeRows(context, registry, alert, { changes, whole });
}
