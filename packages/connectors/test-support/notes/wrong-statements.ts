import { type Connector, type Estimate, ProviderError } from '../../src/sdk/index.ts';
import { FULL_RUN, type WrongConnector, withEntity, withRead } from './wrong-connector.ts';

/** Faulty connectors with wrong estimates, failures or declarations. */
export const WRONG_STATEMENTS: readonly WrongConnector[] = [
  {
    does: 'reads everything, whatever the limit',
    make: withEntity((entity) => ({
      async *read(request) {
        if (request.cursor !== null || request.checkpoint !== null) return yield* entity.read(request);
        const pages = entity.read({ ...request, limit: 1_000_000 });
        while (!(await pages.next()).done);
        return yield* entity.read(request);
      },
    })),
    caughtBy: ['a run of few records costs less than one of all'],
  },
  {
    does: 'changes the settings that it is given',
    make: withRead(async function* (source, { settings }) {
      (settings as Record<string, string>).notebook = 'home';
      return yield* source;
    }),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'throws what is no failure of the closed list',
    make: withRead(async function* (source) {
      try {
        return yield* source;
      } catch (error) {
        throw error instanceof ProviderError ? new TypeError('null has no properties') : error;
      }
    }),
    caughtBy: ['http-500 that lasts ends in unavailable', 'not-found that lasts ends in not-found'],
  },
  {
    does: 'takes every refusal for JSON',
    make: (connector) => ({
      ...connector,
      classify: (answer) => ({
        kind: 'retry',
        message: (JSON.parse(answer.body) as { message: string }).message,
      }),
    }),
    caughtBy: ['every refusal over HTTP has its place in the closed list'],
  },
  {
    does: 'gives up at the first failure of the provider',
    make: (connector) => ({
      ...connector,
      classify: (answer) =>
        answer.status === 502
          ? { kind: 'fail', failure: 'malformed', message: 'Notes is failing.' }
          : (connector.classify as NonNullable<Connector['classify']>)(answer),
    }),
    caughtBy: ['every refusal over HTTP has its place in the closed list'],
  },
  {
    does: 'tells the token in its messages',
    make: withRead(async function* (source) {
      try {
        return yield* source;
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        throw new ProviderError(error.failure, `${error.message} The token was adas-token.`);
      }
    }),
    caughtBy: ['a checkpoint or cursor of another version asks to begin anew'],
  },
  {
    does: 'does not count its requests',
    make: withRead((source, { client }) => {
      const get = client.get.bind(client);
      client.get = (request) => get({ ...request, units: 0 });
      return source;
    }),
    caughtBy: ['the units that a run tells are those that the provider counted'],
  },
  {
    does: 'does not keep to its budget',
    make: (connector) => {
      const { unitsPerMinute } = connector.quota;
      return { ...connector, quota: { unitsPerMinute: 2 * unitsPerMinute, concurrency: 2 } };
    },
    caughtBy: ['the unit budget is never crossed'],
    isMetered: true,
  },
  {
    does: 'asks for more at once than it declares',
    make: (connector) => ({ ...connector, quota: { ...connector.quota, concurrency: 0.5 } }),
    caughtBy: ['what it declares is sound'],
  },
  {
    does: 'leaves ids out of their list',
    make: withEntity((entity) => ({
      async *listIds(request) {
        for await (const ids of entity.listIds(request)) yield ids.slice(1);
      },
    })),
    caughtBy: ['the ids of the scope are those of a full run'],
  },
  {
    does: 'lists ids other than those of its records',
    make: withEntity((entity) => ({
      async *listIds(request) {
        for await (const ids of entity.listIds(request)) yield ids.map((id) => id.slice(5));
      },
    })),
    caughtBy: ['the ids of the scope are those of a full run'],
  },
  {
    does: 'expects nothing',
    make: withEntity(() => ({
      estimate: async (): Promise<Estimate> => ({ total: null, records: 0, requests: 0, units: 0 }),
    })),
    caughtBy: ['a full run costs about what was expected'],
  },
  {
    does: 'expects more than the limit lets in',
    make: withEntity((entity) => ({
      estimate: (request) => entity.estimate({ ...request, limit: 1_000_000 }),
    })),
    caughtBy: ['a full run costs about what was expected'],
  },
  {
    does: 'reads all to know what a run would cost',
    make: withEntity((entity) => ({
      async estimate(request) {
        for (let count = 0; count < 30; count++) await entity.estimate(request);
        return entity.estimate(request);
      },
    })),
    caughtBy: ['a full run costs about what was expected'],
  },
  {
    does: 'expects a full run of an incremental one',
    make: withEntity((entity) => ({ estimate: (request) => entity.estimate({ ...request, cursor: null }) })),
    caughtBy: ['an incremental run costs about what was expected'],
  },
  {
    does: 'gives each scope the same name',
    make: withEntity(() => ({ scopeOf: () => 'all' })),
    caughtBy: ['what it declares is sound'],
  },
  {
    does: 'gives a scope another name each time',
    make: withEntity(() => ({ scopeOf: () => crypto.randomUUID() })),
    caughtBy: ['what it declares is sound'],
  },
  {
    does: 'has a setting whose pattern is none',
    make: withEntity(({ settings }) => ({
      settings: settings.map((setting) => ({ ...setting, pattern: '[a-z' })),
    })),
    caughtBy: ['what it declares is sound'],
  },
  {
    does: 'depends on an entity that it does not have',
    make: withEntity(() => ({ dependsOn: [{ entity: 'notebooks', title: 'Notebooks' }] })),
    caughtBy: ['what it declares is sound'],
  },
  {
    does: 'describes itself by a script',
    make: withEntity(() => ({ description: '<p onclick="alert(1)">Notes</p>' })),
    caughtBy: ['what it declares is sound'],
  },
  {
    does: 'has a template over another table',
    make: withEntity(({ templates }) => ({
      templates: templates.map((template) =>
        template.kind === 'rows' ? { ...template, sql: 'select 1 as one order by one' } : template,
      ),
    })),
    caughtBy: ['what it declares is sound'],
  },
  {
    does: 'declares a column of every table',
    make: withEntity(({ table }) => ({
      table: { ...table, columns: { ...table.columns, scopes: { type: 'text[]' } } },
    })),
    caughtBy: ['what it declares is sound'],
  },
  {
    does: 'converts stored documents to other columns',
    make: withEntity((entity) => ({
      convert: (document, before) => {
        const { data, columns } = entity.convert(document, before);
        return { data, columns: { ...columns, title: 'Untitled' } };
      },
    })),
    caughtBy: [FULL_RUN],
  },
  {
    does: 'has an API without a meaning of its refusals',
    make: ({ classify: _, ...connector }) => connector,
    caughtBy: ['what it declares is sound'],
  },
];
