import { createHash } from 'node:crypto';
import { ALERT_LIMITS, type AlertChanges, type AlertKind, type ChangedRow } from '@datadeck/contract';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { RowPrint } from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { watchView } from '../views/index.ts';
import type { AlertRow } from './channels.ts';
import { compareRows } from './compare.ts';
import { packRows, unpackRows } from './snapshot.ts';
import { alertSnapshots } from './tables.ts';

const DEFAULT_KEY_FIELDS = ['_id', 'id'];

/** The result of comparing the rows of an alert's view with those of its snapshot. */
export interface Comparison {
  viewTitle: string;
  /** Columns of the alert after the comparison. */
  compared: Pick<AlertRow, 'connectionId' | 'dataKey' | 'definition' | 'extraction' | 'rowCount'>;
  /** The new snapshot; absent if the stored one is still true. */
  snapshot?: Buffer;
  /** What to tell; absent if nothing of the chosen kinds changed, and for the first comparison. */
  changes?: AlertChanges;
}

function definitionOf(definition: string, keyFields: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([definition, keyFields]))
    .digest('hex');
}

async function readSnapshot(db: Queryable, { userId, id }: AlertRow): Promise<RowPrint[] | undefined> {
  const [found] = await db
    .select({ rows: alertSnapshots.rows })
    .from(alertSnapshots)
    .where(and(eq(alertSnapshots.userId, userId), eq(alertSnapshots.alertId, id)));
  return found && unpackRows(found.rows);
}

/** Returns the counts and first rows of the changes of the chosen kinds; undefined if there are none. */
export function summarize(
  differences: readonly ChangedRow[],
  kinds: readonly AlertKind[],
): AlertChanges | undefined {
  const chosen = differences.filter(({ kind }) => kinds.includes(kind));
  if (chosen.length === 0) return undefined;
  const countOf = (kind: AlertKind) => chosen.filter((row) => row.kind === kind).length;
  return {
    appeared: countOf('appeared'),
    disappeared: countOf('disappeared'),
    changed: countOf('changed'),
    rows: chosen.slice(0, ALERT_LIMITS.shownRows),
  };
}

/**
 * Reads all rows of an alert's view and compares them with the stored ones. The first comparison, and the first one after
 * the view, its values, its account at the provider or the extraction of its records changed, has nothing to compare with.
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
  const definition = definitionOf(view.definition, keyFields);
  const { extraction } = registry.entity(alert.provider, alert.entity);
  // An upgrade that extracts records again changes rows that nobody changed.
  const isComparable = alert.definition === definition && alert.extraction >= extraction;
  if (isComparable && alert.dataKey === view.dataKey) return undefined;
  const rows: RowPrint[] = [];
  for await (const batch of view.prints({ keyFields, maxRows: ALERT_LIMITS.rows })) rows.push(...batch);
  const before = isComparable ? await readSnapshot(context.db, alert) : undefined;
  const differences = before && (await compareRows(before, rows));
  const changes = differences && summarize(differences, alert.kinds);
  const isNewSnapshot = differences === undefined || differences.length > 0;
  return {
    viewTitle: view.title,
    compared: {
      connectionId: view.connectionId ?? null,
      dataKey: view.dataKey,
      definition,
      extraction,
      rowCount: rows.length,
    },
    ...(isNewSnapshot && { snapshot: await packRows(rows) }),
    ...(changes && { changes }),
  };
}
