import { readFileSync } from 'node:fs';
import type {
  Alert,
  Alerts,
  AllViews,
  ListedView,
  Provider,
  SavedQuery,
  Schedule,
  Template,
  ViewResults,
} from '@datadeck/contract';
import { isRecord } from '@datadeck/contract/table-columns';
import { z } from 'zod';
import { ONE_ACCOUNT } from './release-fixture.ts';
import { allRows } from './syncing.ts';
import type { Client } from './test-server.ts';

const rowsByName = z.record(z.string(), z.array(z.unknown()));

/** All that a user is shown of the data, without what time changes: `{ rows: { 'gh-pulls pulls-all': [ … ] }, … }`. */
const shownSchema = z.object({
  /** Names of the connected accounts by provider. */
  accounts: z.record(z.string(), z.string()),
  /** Rows of each template, by entity and template. */
  rows: rowsByName,
  /** Rows of each view, by its title. */
  views: rowsByName,
  /** Fields of each view, schedule, alert and saved query. */
  saved: z.object({
    views: z.array(z.unknown()),
    schedules: z.array(z.unknown()),
    alerts: z.array(z.unknown()),
    queries: z.array(z.unknown()),
  }),
});
type Shown = z.infer<typeof shownSchema>;

const factsSchema = z.object({
  version: z.string(),
  /** Time of its newest migration, ms since 1970. */
  migrated: z.number(),
  /** Day of the sandbox's dates, ms since 1970. */
  anchor: z.number(),
  /** All that the user was shown when the data folder was written. */
  shown: shownSchema,
});
/** What the tests must know about the fixture with one account for each provider. */
export type OneAccountFacts = z.infer<typeof factsSchema>;

/** Reads the facts of the fixture. */
export function readOneAccountFacts(): OneAccountFacts {
  return factsSchema.parse(JSON.parse(readFileSync(ONE_ACCOUNT.facts, 'utf8')));
}

/** Returns a row without the age, which grows every day, and without its accounts, which the fixture's version did not name. */
function comparable(row: unknown): unknown {
  if (!isRecord(row)) return row;
  const { ageDays: _, account: _account, accounts: _accounts, ...rest } = row;
  return rest;
}

async function rowsOfEntity(client: Client, provider: string, entity: string): Promise<Shown['rows']> {
  const path = `/api/integrations/entities/templates/${provider}/${entity}`;
  const rows: Shown['rows'] = {};
  for (const { templateKey } of await client.get<Template[]>(path))
    rows[`${entity} ${templateKey}`] = (await allRows(client, entity, templateKey)).map(comparable);
  return rows;
}

/** Returns what the fixture's version knew of a schedule. */
function comparableSchedule({ providerId, entityLabel, every, entitySettings, blockedReason }: Schedule) {
  return { providerId, entityLabel, every, entitySettings, blockedReason };
}

/** Returns what the fixture's version knew of an alert, without the time of its comparison. */
function comparableAlert(alert: Alert) {
  const {
    comparedAt: _,
    changedAt,
    lastDelivery,
    snoozedUntil,
    webhookFormat,
    digestHour,
    rowText,
    condition: _condition,
    ...known
  } = alert;
  return known;
}

/** Returns what the fixture's version knew of a view. */
function comparableView({ display: _display, bases: _bases, ...known }: ListedView) {
  return known;
}

/** Returns all rows of a view, from all pages. */
async function rowsOfView(client: Client, id: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let page = 1; ; page++) {
    const path = `/api/data/views/aggregate/${id}?page=${page}`;
    const { results, count } = await client.get<ViewResults>(path);
    rows.push(...results.map(comparable));
    if (results.length === 0 || rows.length >= count) return rows;
  }
}

/** Reads all that a user is shown. */
export async function readShown(client: Client): Promise<Shown> {
  const providers = await client.get<Provider[]>('/api/integrations/providers');
  const rows: Shown['rows'] = {};
  for (const { key, entities } of providers)
    for (const { id } of entities) Object.assign(rows, await rowsOfEntity(client, key, id));
  const { results } = await client.get<AllViews>('/api/data/views/all');
  const views: Shown['views'] = {};
  for (const { _id, title } of results) views[title] = await rowsOfView(client, _id);
  const alerts = (await client.get<Alerts>('/api/data/alerts')).results;
  const schedules = await client.get<Schedule[]>('/api/integrations/schedules');
  return {
    accounts: Object.fromEntries(
      providers.flatMap(({ key, connection }) => (connection ? [[key, connection.account]] : [])),
    ),
    rows,
    views,
    saved: {
      views: results.map(comparableView),
      schedules: schedules.map(comparableSchedule),
      alerts: alerts.map(comparableAlert),
      queries: await client.get<SavedQuery[]>('/api/data/jnata-queries'),
    },
  };
}

/** Reads what a user is shown, of the rows those of the templates that an earlier version had. */
export async function readKnown(client: Client, known: Shown): Promise<Shown> {
  const { rows, ...shown } = await readShown(client);
  const isKnown = ([template]: [string, unknown]) => Object.hasOwn(known.rows, template);
  return { ...shown, rows: Object.fromEntries(Object.entries(rows).filter(isKnown)) };
}
