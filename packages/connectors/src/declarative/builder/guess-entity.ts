import { findRecords } from './find-records.ts';
import { guessPagination, guessTotal } from './guess-pagination.ts';
import { type Draft, slugOf, titleOf, type UniqueKeys } from './started.ts';
import { pathName, type Suggestion, suggestColumns } from './suggest-columns.ts';

const MAX_COLUMNS = 40;
const MAX_PARAMETERS = 50;
const KEYS = [
  'id',
  '_id',
  'uuid',
  'guid',
  'uid',
  'key',
  'gid',
  'number',
  'iid',
  'sha',
  'slug',
  'code',
  'login',
  'name',
];
const TITLES = [
  'title',
  'name',
  'subject',
  'summary',
  'headline',
  'label',
  'full_name',
  'display_name',
  'identifier',
  'key',
  'slug',
  'login',
  'username',
  'email',
  'description',
  'content',
  'text',
  'value',
];
const CREATED =
  /^(?:created|published|opened|received|sent|posted|started|inserted|occurred)(?:_at|_on|_time|_date|_utc)?$|^(?:date|time|timestamp|create_time|creation_date|date_created|created_date)$/;
const CHANGED =
  /^(?:updated|modified|changed|last_modified|last_updated|last_edited|edited)(?:_at|_on|_time|_date|_utc)?$|^(?:update_time|date_modified|date_updated|modification_date)$/;
const SINCE = [
  'updated_since',
  'updated_after',
  'modified_since',
  'modified_after',
  'since',
  'changed_since',
  'updatedSince',
  'updatedAfter',
  'modifiedSince',
];

/** A list of the API, and an answer of it. */
export interface ListSample {
  /** Name of the list, e.g. the end of its path. */
  name: string;
  description?: string;
  /** Path below the base address; with holes for settings. */
  path: string;
  /** Query parameters with their values. */
  query: ReadonlyMap<string, string>;
  /** Expressions of query parameters that settings fill. */
  filled?: Readonly<Record<string, string>>;
  settings?: readonly Draft[];
  response: unknown;
}

/** Returns the field that is unique among the records; undefined without one. */
function keyOf(records: readonly Record<string, unknown>[]): string | undefined {
  const names = [...KEYS, ...Object.keys(records[0] ?? {}).filter((name) => /(?:_id|Id|ID)$/.test(name))];
  return names.find((name) => {
    const values = records.map((record) => record[name]);
    return (
      values.length > 0 &&
      values.every((value) => (typeof value === 'string' && value !== '') || typeof value === 'number') &&
      new Set(values).size === values.length
    );
  });
}

function pick(columns: readonly Suggestion[], is: (column: Suggestion) => boolean): Suggestion | undefined {
  return (
    columns.find((column) => is(column) && !column.value.slice('record.'.length).includes('.')) ??
    columns.find(is)
  );
}

function titleColumnOf(columns: readonly Suggestion[], key: string): Suggestion {
  const texts = columns.filter(({ type }) => type === 'text');
  const usual = TITLES.map((name) => texts.find((column) => column.name === name)).find(
    (column) => column !== undefined,
  );
  const other = texts.find(
    ({ name, example }) => !/id$|url|href|link|uuid/.test(name) && !/^https?:/.test(example),
  );
  return (
    usual ?? other ?? { name: 'record_title', type: 'text', value: `$string(record.${key})`, example: '' }
  );
}

/** Returns the column by which the parameters of the address sort, newest first; undefined without one. */
function sortedByOf(query: ReadonlyMap<string, string>, times: readonly Suggestion[]): string | undefined {
  const text = [...query]
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
    .toLowerCase();
  const [, sign = '', by = ''] = /(?:sort|order_by|sort_by|orderby|sortby)=(-?)([a-z_]+)/.exec(text) ?? [];
  const isDescending =
    sign === '-' || /(?:direction|order|sort|sort_order|sort_dir)=desc|:desc| desc/.test(text);
  return isDescending ? times.find(({ name }) => name === by || name === `${by}_at`)?.name : undefined;
}

function templatesOf(
  id: string,
  title: string,
  {
    keys,
    columns,
    titleColumn,
    time,
  }: { keys: UniqueKeys; columns: readonly Suggestion[]; titleColumn: string; time: string | undefined },
): Draft[] {
  const shown = [titleColumn, ...(time === undefined ? [] : [time]), ...columns.map(({ name }) => name)];
  const base = id.slice(0, 26);
  return [
    {
      kind: 'records',
      key: keys.take(`${base}-all`),
      title: `All ${title.toLowerCase()}`.slice(0, 80),
      description: 'Every record, the newest first.',
    },
    {
      kind: 'rows',
      key: keys.take(`${base}-new`),
      title: `Newest ${title.toLowerCase()}`.slice(0, 80),
      description:
        time === undefined ? 'The most important columns.' : 'The most important columns, the newest first.',
      columns: [...new Set(shown)].slice(0, 6),
      orderBy: [time === undefined ? { by: titleColumn } : { by: time, descending: true }],
    },
  ];
}

/**
 * Writes an entity for a list: what its records are like is guessed from an answer.
 * @returns the entity, and what was guessed as sentences
 */
export function guessEntity(
  key: string,
  sample: ListSample,
  keys: { ids: UniqueKeys; templates: UniqueKeys },
): { entity: Draft; remarks: string[] } {
  const { response, query, path, name } = sample;
  const found = findRecords(response);
  const title = titleOf(name);
  const id = keys.ids.take(`${key}-${slugOf(name, 30 - key.length)}`);
  const remarks: string[] = [];
  if (found.kind === 'scalars')
    remarks.push(
      `${title}: the list has texts or numbers, not objects. Each becomes a record with the fields id and value.`,
    );
  if (found.kind === 'empty')
    remarks.push(
      `${title}: the answer has no record, so that its columns could not be guessed. Try it, and add columns.`,
    );
  if (found.kind === 'none')
    remarks.push(`${title}: the answer has no list; the whole answer is one record.`);
  const facts = { response, query, count: found.records.length };
  const { pagination, replaced, remark } = guessPagination(facts);
  remarks.push(`${title}: ${remark}`);
  const total = guessTotal(facts);
  const field = keyOf(found.records);
  const keyPath = pathName(field ?? 'id') ?? 'id';
  if (field === undefined && found.records.length > 0)
    remarks.push(`${title}: no field is unique in each record. Write the expression of the key.`);
  const columns = suggestColumns(found.records, {
    read: [`record.${keyPath}`],
    taken: [],
    decode: 'json',
  }).slice(0, MAX_COLUMNS);
  const titleColumn = titleColumnOf(columns, keyPath);
  if (!columns.includes(titleColumn)) columns.unshift(titleColumn);
  const times = columns.filter(({ type }) => type === 'time');
  const changed = pick(times, (column) => CHANGED.test(column.name));
  const date = pick(times, (column) => CREATED.test(column.name)) ?? changed ?? times[0];
  remarks.push(
    date
      ? `${title}: the date of a record is ${date.value}: a guess.`
      : `${title}: no field is a date; records are dated 1970 until you write the expression of the date.`,
  );
  const since = SINCE.find((one) => query.has(one));
  if (changed)
    remarks.push(
      `${title}: later runs read what changed by ${changed.name}: a guess.${since === undefined ? ' If the service can filter by it, add the parameter.' : ''}`,
    );
  const sortedBy = sortedByOf(query, times);
  const constants = [...query]
    .filter(([one]) => !replaced.includes(one) && one !== since && one !== '' && one.length <= 100)
    .slice(0, MAX_PARAMETERS - Object.keys(sample.filled ?? {}).length)
    .map(([one, value]) => [one, JSON.stringify(value.toWellFormed().slice(0, 1000))]);
  const entity: Draft = {
    id,
    title,
    description: (sample.description ?? '').trim().slice(0, 1000) || `${title} of the account.`,
    ...(sample.settings && sample.settings.length > 0 && { settings: sample.settings }),
    request: { path, query: { ...Object.fromEntries(constants), ...sample.filled } },
    records: found.expression,
    ...(total !== undefined && { total }),
    pagination,
    ...(sortedBy !== undefined && { sortedBy }),
    ...(changed && {
      incremental: {
        column: changed.name,
        ...(since !== undefined && { parameter: { in: 'query', name: since, value: 'cursor' } }),
      },
    }),
    key: `record.${keyPath}`,
    date: date?.value ?? 'record.created_at',
    columns: Object.fromEntries(
      columns.map((column) => [column.name, { type: column.type, value: column.value }]),
    ),
    titleColumn: titleColumn.name,
    templates: templatesOf(id, title, {
      keys: keys.templates,
      columns,
      titleColumn: titleColumn.name,
      time: date?.name,
    }),
  };
  return { entity, remarks };
}
