import { type Connector, type Estimate, ProviderError } from '../../src/sdk/index.ts';
import { NOTES_READING, NOTES_SEARCH } from './notes-search.ts';
import { FULL_RUN, type WrongConnector, withEntity, withRead, withScopes } from './wrong-connector.ts';

/** Faulty connectors with wrong estimates, failures or declarations. */
export const WRONG_STATEMENTS: readonly WrongConnector[] = [
  {
    mistake: 'declares a search with an unknown operator',
    make: withEntity(() => ({
      search: { ...NOTES_SEARCH, words: { author: "''", writer: "''" } },
      reading: NOTES_READING,
    })),
    caughtByTests: ['has a valid declaration'],
  },
  {
    mistake: 'declares a state without a value',
    make: withEntity(() => ({
      search: { ...NOTES_SEARCH, states: { 'is:': 'true' } },
      reading: NOTES_READING,
    })),
    caughtByTests: ['has a valid declaration'],
  },
  {
    mistake: 'declares a search whose results nobody can open',
    make: withEntity(() => ({ search: NOTES_SEARCH })),
    caughtByTests: ['has a valid declaration'],
  },
  {
    mistake: 'cannot read every document',
    make: withEntity(() => ({
      reading: {
        ...NOTES_READING,
        read: (note) => ({ ...NOTES_READING.read(note), text: (note.title as string).trim() }),
      },
    })),
    caughtByTests: ['has a valid declaration'],
  },
  {
    mistake: 'reads all records for any limit',
    make: withEntity((entity) => ({
      async *read(request) {
        if (request.cursor !== null || request.checkpoint !== null) return yield* entity.read(request);
        const pages = entity.read({ ...request, limit: 1_000_000 });
        while (!(await pages.next()).done);
        return yield* entity.read(request);
      },
    })),
    caughtByTests: ['sends few requests to read a single record'],
  },
  {
    mistake: 'changes the settings that it receives',
    make: withRead(async function* (source, { settings }) {
      (settings as Record<string, string>).notebook = 'home';
      return yield* source;
    }),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'throws errors outside the closed list of failures',
    make: withRead(async function* (source) {
      try {
        return yield* source;
      } catch (error) {
        throw error instanceof ProviderError ? new TypeError('null has no properties') : error;
      }
    }),
    caughtByTests: ['reports a lasting http-500 as unavailable', 'reports a lasting not-found as not-found'],
  },
  {
    mistake: 'parses every error body as JSON',
    make: (connector) => ({
      ...connector,
      classify: (answer) => ({
        kind: 'retry',
        message: (JSON.parse(answer.body) as { message: string }).message,
      }),
    }),
    caughtByTests: ['classifies every HTTP error status and body'],
  },
  {
    mistake: 'does not retry after status 502',
    make: (connector) => ({
      ...connector,
      classify: (answer) =>
        answer.status === 502
          ? { kind: 'fail', failure: 'malformed', message: 'Notes is failing.' }
          : (connector.classify as NonNullable<Connector['classify']>)(answer),
    }),
    caughtByTests: ['classifies every HTTP error status and body'],
  },
  {
    mistake: 'reveals the token in its messages',
    make: withRead(async function* (source) {
      try {
        return yield* source;
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        throw new ProviderError(error.failure, `${error.message} The token was adas-token.`);
      }
    }),
    caughtByTests: ['rejects a checkpoint or cursor of another version as expired'],
  },
  {
    mistake: 'does not count its quota units',
    make: withRead((source, { client }) => {
      const get = client.get.bind(client);
      client.get = (request) => get({ ...request, units: 0 });
      return source;
    }),
    caughtByTests: ['counts the same quota units as the provider'],
  },
  {
    mistake: 'exceeds its quota',
    make: (connector) => {
      const { unitsPerMinute } = connector.quota;
      return { ...connector, quota: { unitsPerMinute: 2 * unitsPerMinute, concurrency: 2 } };
    },
    caughtByTests: ['never exceeds the quota of units'],
    isMetered: true,
  },
  {
    mistake: 'declares a concurrency below 1',
    make: (connector) => ({ ...connector, quota: { ...connector.quota, concurrency: 0.5 } }),
    caughtByTests: ['has a valid declaration and derives scopes from its settings'],
  },
  {
    mistake: 'omits ids from their list',
    make: withEntity((entity) => ({
      async *listIds(request) {
        for await (const ids of entity.listIds(request)) yield ids.slice(1);
      },
    })),
    caughtByTests: ['lists the ids of all records of the scope'],
  },
  {
    mistake: 'lists ids other than those of its records',
    make: withEntity((entity) => ({
      async *listIds(request) {
        for await (const ids of entity.listIds(request)) yield ids.map((id) => id.slice(5));
      },
    })),
    caughtByTests: ['lists the ids of all records of the scope'],
  },
  {
    mistake: 'estimates no records, requests or units',
    make: withEntity(() => ({
      estimate: async (): Promise<Estimate> => ({ total: null, records: 0, requests: 0, units: 0 }),
    })),
    caughtByTests: ['estimates the records, requests and units of a full run'],
  },
  {
    mistake: 'estimates more records than the limit allows',
    make: withEntity((entity) => ({
      estimate: (request) => entity.estimate({ ...request, limit: 1_000_000 }),
    })),
    caughtByTests: ['estimates the records, requests and units of a full run'],
  },
  {
    mistake: 'sends many requests for an estimate',
    make: withEntity((entity) => ({
      async estimate(request) {
        for (let count = 0; count < 30; count++) await entity.estimate(request);
        return entity.estimate(request);
      },
    })),
    caughtByTests: ['estimates the records, requests and units of a full run'],
  },
  {
    mistake: 'estimates a full run for an incremental one',
    make: withEntity((entity) => ({ estimate: (request) => entity.estimate({ ...request, cursor: null }) })),
    caughtByTests: ['estimates the records and requests of an incremental run'],
  },
  {
    mistake: 'returns the same scope for all settings',
    make: withEntity(() => ({ scopeOf: () => 'all' })),
    caughtByTests: ['has a valid declaration and derives scopes from its settings'],
  },
  {
    mistake: 'returns another scope each time',
    make: withEntity(() => ({ scopeOf: () => crypto.randomUUID() })),
    caughtByTests: ['has a valid declaration and derives scopes from its settings'],
  },
  {
    mistake: 'declares a setting with an invalid pattern',
    make: withEntity(({ settings }) => ({
      settings: settings.map((setting) => ({ ...setting, pattern: '[a-z' })),
    })),
    caughtByTests: ['has a valid declaration and derives scopes from its settings'],
  },
  {
    mistake: 'depends on an entity that it does not have',
    make: withEntity(() => ({ dependsOn: [{ entity: 'notebooks', title: 'Notebooks' }] })),
    caughtByTests: ['has a valid declaration and derives scopes from its settings'],
  },
  {
    mistake: 'has a script in its description',
    make: withEntity(() => ({ description: '<p onclick="alert(1)">Notes</p>' })),
    caughtByTests: ['has a valid declaration and derives scopes from its settings'],
  },
  {
    mistake: 'has a template that does not read its table',
    make: withEntity(({ templates }) => ({
      templates: templates.map((template) =>
        template.kind === 'rows' ? { ...template, sql: 'select 1 as one order by one' } : template,
      ),
    })),
    caughtByTests: ['has a valid declaration and derives scopes from its settings'],
  },
  {
    mistake: 'declares a column that every table has',
    make: withEntity(({ table }) => ({
      table: { ...table, columns: { ...table.columns, scopes: { type: 'text[]' } } },
    })),
    caughtByTests: ['has a valid declaration and derives scopes from its settings'],
  },
  {
    mistake: 'converts stored documents to other columns',
    make: withEntity((entity) => ({
      convert: async (document, before) => {
        const { data, columns } = await entity.convert(document, before);
        return { data, columns: { ...columns, title: 'Untitled' } };
      },
    })),
    caughtByTests: [FULL_RUN],
  },
  {
    mistake: 'has an API without a classification of errors',
    make: ({ classify: _, ...connector }) => connector,
    caughtByTests: ['has a valid declaration and derives scopes from its settings'],
  },
  {
    mistake: 'lists a scope twice',
    make: withScopes((scopes) => ({
      async *list(request) {
        yield* scopes.list(request);
        yield* scopes.list(request);
      },
    })),
    caughtByTests: ['lists each scope once, by a name that its settings have'],
  },
  {
    mistake: 'names scopes by what its settings do not have',
    make: withScopes((scopes) => ({ nameOf: (settings) => `${scopes.nameOf(settings)}-notes` })),
    caughtByTests: ['lists each scope once, by a name that its settings have'],
  },
  {
    mistake: 'lists scopes that its settings refuse',
    make: withScopes((scopes) => ({
      settingsOf: (name) => ({ notebook: name.toUpperCase() }),
      nameOf: ({ notebook = '' }) => notebook.toLowerCase(),
      problemOf: scopes.problemOf,
    })),
    caughtByTests: ['lists each scope once, by a name that its settings have'],
  },
  {
    mistake: 'takes any text as the name of a scope',
    make: withScopes(() => ({ problemOf: () => undefined })),
    caughtByTests: ['has a valid declaration and derives scopes from its settings'],
  },
  {
    mistake: 'lists nothing for its pattern',
    make: withScopes((scopes) => ({
      async *list(request) {
        if (request.pattern === undefined) yield* scopes.list(request);
      },
    })),
    caughtByTests: ['lists for a pattern all that it selects, of one group only'],
  },
  {
    mistake: 'selects scopes by any text',
    make: withScopes(() => ({ selects: () => true })),
    caughtByTests: ['lists for a pattern all that it selects, of one group only'],
  },
];
