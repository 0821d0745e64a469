import { z } from 'zod';
import {
  type ColumnValues,
  type Completion,
  type Connector,
  type ConnectorRecord,
  copiedInstant,
  copiedInteger,
  copiedText,
  defineConnector,
  defineEntity,
  type FailedAnswer,
  type FormAuthorization,
  type JsonObject,
  type Page,
  type ProviderClient,
  ProviderError,
  parseSaved,
  type ReadRequest,
  type RefusedAnswer,
  retryAfterOf,
  type ScopeDefinition,
  storableInstant,
  type TableDefinition,
  type TemplateDefinition,
} from '../../src/sdk/index.ts';

/*
 * The smallest connector that passes the conformance suite: a list, its changes, a connect form. Not part of the product;
 * used with faulty variants to test the suite itself.
 */

const PAGE_SIZE = 20;
const TITLE = 'Notes';

const noteSchema = z.looseObject({
  id: z.string(),
  number: z.number(),
  created: z.string(),
  title: z.string().nullish(),
});
const headSchema = z.object({ count: z.number().int(), sequence: z.number().int() });
const listSchema = z.object({ notes: z.array(noteSchema), hasMore: z.boolean() });
const changesSchema = z.object({
  changes: z.array(z.object({ sequence: z.number().int(), id: z.string(), note: noteSchema.nullable() })),
  hasMore: z.boolean(),
});

const cursorSchema = z.object({ sequence: z.number().int() });
/** Checkpoint of a full run. The cursor is taken before the first page, so that the next run includes later changes. */
const positionSchema = z.object({ ...headSchema.shape, before: z.number().int().nullable() });
const changesPositionSchema = z.object({
  ...headSchema.shape,
  after: z.number().int(),
  brought: z.number().int(),
});

async function ask<T>(client: ProviderClient, path: string, schema: z.ZodType<T>, query = {}): Promise<T> {
  const answer = await client.get({ path, query, units: 1 });
  const parsed = schema.safeParse(answer.body);
  if (parsed.success) return parsed.data;
  throw new ProviderError('malformed', `${TITLE} sent an answer that cannot be read.`, {
    cause: parsed.error,
  });
}

/** Extracts the columns from a document. */
function columnsOf({ number, title, created }: JsonObject): ColumnValues {
  return {
    number: copiedInteger(number),
    title: copiedText(title ?? ''),
    created: copiedInstant(created, 3),
  };
}

function recordOf(note: z.infer<typeof noteSchema>): ConnectorRecord {
  const { id, number, title, created, ...rest } = note;
  const data = { number, title: title ?? null, created, id, ...(rest as Record<string, string>) };
  const occurredAt = storableInstant(Date.parse(created)) ?? new Date(0);
  return { id, occurredAt, data, columns: columnsOf(data) };
}

const notesTable: TableDefinition = {
  name: 'notes',
  title: 'title',
  columns: {
    number: { type: 'integer', copies: ['number'] },
    title: { type: 'text', copies: ['title'], standIns: [''] },
    created: { type: 'timestamptz', copies: ['created'], fractionDigits: 3 },
  },
};

const notesTemplates: readonly TemplateDefinition[] = [
  {
    key: 'notes-all',
    kind: 'documents',
    title: 'All notes',
    description: 'Every note, the newest first.',
    orderBy: [
      { by: 'occurred_at', descending: true },
      { by: 'id', descending: true },
    ],
  },
  {
    key: 'notes-by-title',
    kind: 'rows',
    title: 'Notes by title',
    description: 'How many notes have each title, the most frequent first.',
    sql: 'select title, count(*) as notes from notes group by title order by count(*) desc, title',
  },
];

/** Yields all notes, newest first. */
async function* readAll(request: ReadRequest): AsyncGenerator<Page, Completion> {
  const { client } = request;
  let position = parseSaved(positionSchema, request.checkpoint) ?? {
    ...(await ask(client, '/head', headSchema)),
    before: null,
  };
  for (let left = request.limit; ; ) {
    // At limit 0 request one note anyway, to know whether any exist.
    const limit = String(Math.max(1, Math.min(PAGE_SIZE, left)));
    const before = position.before === null ? undefined : String(position.before);
    const { notes, hasMore } = await ask(client, '/notes', listSchema, { before, limit });
    const kept = notes.slice(0, left);
    left -= kept.length;
    position = { ...position, before: kept.at(-1)?.number ?? position.before };
    if (kept.length > 0) yield { records: kept.map(recordOf), checkpoint: position, total: position.count };
    const isCut = kept.length < notes.length || (left === 0 && hasMore);
    if (isCut || !hasMore) return { cursor: { sequence: position.sequence }, truncated: isCut };
  }
}

/** Yields the changes since the cursor. @throws ProviderError `cursor-expired` also if more changed than the limit */
async function* readChanges(
  request: ReadRequest,
  since: z.infer<typeof cursorSchema>,
): AsyncGenerator<Page, Completion> {
  const { client, limit } = request;
  let position = parseSaved(changesPositionSchema, request.checkpoint) ?? {
    ...(await ask(client, '/head', headSchema)),
    after: since.sequence,
    brought: 0,
  };
  for (;;) {
    const query = { after: String(position.after), limit: String(PAGE_SIZE) };
    const { changes, hasMore } = await ask(client, '/changes', changesSchema, query);
    const notes = changes.flatMap(({ note }) => note ?? []);
    position = {
      ...position,
      after: changes.at(-1)?.sequence ?? position.after,
      brought: position.brought + notes.length,
    };
    if (position.brought > limit)
      throw new ProviderError('cursor-expired', `More changed in ${TITLE} than a sync may bring.`);
    yield {
      records: notes.map(recordOf),
      removed: changes.filter(({ note }) => note === null).map(({ id }) => id),
      checkpoint: position,
      total: position.count,
    };
    if (!hasMore) return { cursor: { sequence: position.after }, truncated: false };
  }
}

/** The name of a notebook, as the setting allows it. */
const NOTEBOOK = '[a-z]{1,100}';
const notebooksSchema = z.object({ notebooks: z.array(z.string()) });

/** The notebooks of a source of notes; `*` selects all of them. */
const notebookScopes: ScopeDefinition = {
  one: 'notebook',
  many: 'notebooks',
  settings: ['notebook'],
  patterns: () => [{ pattern: '*', title: 'All notebooks' }],
  nameOf: ({ notebook = '' }) => notebook,
  settingsOf: (notebook) => ({ notebook }),
  problemOf: (text) =>
    text === '*' || new RegExp(`^${NOTEBOOK}$`).test(text) ? undefined : 'A notebook has small letters.',
  isPattern: (text) => text === '*',
  selects: (pattern) => pattern === '*',
  async *list({ client }) {
    const { notebooks } = await ask(client, '/notebooks', notebooksSchema);
    const isOther = { isPrivate: false, isFork: false, isArchived: false, isTrash: false };
    yield notebooks.map((name) => ({
      ...{ name, title: name, group: '', ...isOther },
      ...{ count: null, changedAt: null },
    }));
  },
};

/** The entity of the notes of a notebook. */
export const notes = defineEntity({
  id: 'notes',
  title: TITLE,
  description: '<p>Every note of a <strong>notebook</strong>.</p>',
  dependsOn: [],
  multi: true,
  limits: {
    demo: { cap: 10, monthlyRuns: 50 },
    standard: { cap: 500, monthlyRuns: 50 },
    pro: { cap: 5000, monthlyRuns: 300 },
  },
  settings: [
    {
      id: 'notes-notebook',
      propKey: 'notebook',
      label: 'Notebook',
      type: 'text',
      required: true,
      disabled: false,
      isChecked: false,
      defaultValue: '',
      pattern: NOTEBOOK,
      placeholder: 'E.g. work',
      errorText: 'Please enter the name of a notebook',
      tip: 'As the address of the notebook shows it.',
    },
  ],
  table: notesTable,
  templates: notesTemplates,
  extraction: 1,
  convert: (document) => ({ data: document, columns: columnsOf(document) }),
  scopeOf: ({ notebook = '' }) => notebook,
  scopes: notebookScopes,
  async *read(request) {
    const since = parseSaved(cursorSchema, request.cursor);
    return yield* since ? readChanges(request, since) : readAll(request);
  },
  async estimate({ client, cursor, limit }) {
    const since = parseSaved(cursorSchema, cursor);
    const { count, sequence } = await ask(client, '/head', headSchema);
    const records = since ? sequence - since.sequence : Math.min(count, limit);
    const requests = 1 + Math.max(1, Math.ceil(records / PAGE_SIZE));
    return { total: count, records, requests, units: requests };
  },
  async *listIds({ client }) {
    for (let before: string | undefined; ; ) {
      const { notes: listed, hasMore } = await ask(client, '/notes', listSchema, { before, limit: '100' });
      yield listed.map(({ id }) => id);
      if (!hasMore) return;
      before = String(listed.at(-1)?.number ?? 0);
    }
  },
});

/** Classifies the service's error responses. */
export function classifyNotes({ status, headers, now }: RefusedAnswer): FailedAnswer {
  const fail = (failure: Extract<FailedAnswer, { kind: 'fail' }>['failure'], message: string) =>
    ({ kind: 'fail', failure, message }) as const;
  if (status === 401) return { kind: 'expired-token', message: `${TITLE} no longer accepts the token.` };
  if (status === 403) return fail('forbidden', `${TITLE} does not let you read this notebook.`);
  if (status === 404) return fail('not-found', `${TITLE} has no such notebook.`);
  if (status === 410) return fail('cursor-expired', `${TITLE} no longer keeps these changes.`);
  if (status === 429) {
    const after = retryAfterOf(headers, now);
    const until = after === undefined ? undefined : new Date(after);
    return { kind: 'retry-later', until, message: `${TITLE} asks to wait.` };
  }
  if (status >= 500 || status === 408)
    return { kind: 'retry', message: `${TITLE} is failing (status ${status}). Try again later.` };
  return fail('malformed', `${TITLE} sent an answer that is not documented (status ${status}).`);
}

/** Connects with a token. */
function notesAuthorization(apiUrl: string): FormAuthorization {
  return {
    form: {
      action: 'Use a token',
      replaceAction: 'Replace token',
      intro: [],
      links: [],
      presetLabel: '',
      presets: [],
      leftBehind: null,
      fields: [
        {
          name: 'token',
          label: 'Token',
          type: 'password',
          required: true,
          defaultValue: '',
          pattern: '',
          placeholder: '',
          errorText: 'Please enter a token',
          tip: 'Made in the settings of Notes.',
          options: [],
        },
      ],
    },
    connect: async ({ token = '' }) => ({
      identity: { issuer: apiUrl, subject: 'ada', account: 'ada', email: '', name: 'Ada' },
      credentials: { accessToken: token, refreshToken: 'refresh', scopes: [] },
    }),
    refresh: async (credentials) => ({ ...credentials, accessToken: `${credentials.accessToken}+` }),
    revoke: () => Promise.resolve(),
  };
}

/** Creates the connector of a service at this address. */
export function notesConnector(apiUrl: string, unitsPerMinute = Number.POSITIVE_INFINITY): Connector {
  return defineConnector({
    key: 'notes',
    title: TITLE,
    description: 'Synchronize your notes.',
    mark: 'M4 2h16v20H4z',
    quota: { unitsPerMinute, concurrency: 2 },
    formAuthorization: notesAuthorization(apiUrl),
    apiUrl,
    classify: classifyNotes,
    entities: [notes],
  });
}
