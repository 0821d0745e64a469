import type { SavedQuery, Template, UserEntity, View } from '@datadeck/contract';
import { LIMITS, PLAN_LIMITS } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../test-support/shared-server.ts';
import { runSync } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';

let server: TestServer;
let ada: Client;
let demo: Client;
const QUERIES = '/api/data/jnata-queries';
const VIEWS = '/api/data/views';
const CATEGORY = '/api/data/views/category';
const SYNCS = '/api/integrations/synchronizations';
const PULLS = { providerId: 'github', entityLabel: 'gh-pulls' };
const VIEW = { ...PULLS, title: 'A view', description: 'x', jsonNataQuery: '$', templateKey: 'pulls-all' };
let view: View;

beforeAll(async () => {
  server = await shareServer();
  demo = await new Client(server).demo();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
  await runSync(ada, 'gh-pulls', { owner: 'nobody', repo: 'nothing' });
  view = await ada.post<View>(VIEWS, VIEW);
  await ada.post<View>(VIEWS, { ...VIEW, title: 'On it', templateKey: '', basedOn: view._id });
  await ada.post(QUERIES, { title: 'mine', jsonNataQuery: '$' });
  await ada.post(CATEGORY, { title: 'mine' });
});
afterAll(() => server?.remove());

/** Returns the first item of a list, or the response itself. */
async function one(path: string): Promise<Record<string, unknown>> {
  const answer = await ada.get<Record<string, unknown> | Record<string, unknown>[]>(path);
  return (Array.isArray(answer) ? answer[0] : answer) ?? {};
}

// @covers 7.example-data-templates
describe('the API', () => {
  // biome-ignore format: a table
  const FIELDS: [what: string, path: string, fields: string[]][] = [
    ['current user', '/api/accounts', ['name', 'email', 'status']],
    ['provider', '/api/integrations/providers', ['_id', 'key', 'title', 'description', 'entities', 'isBlocked']],
    ['user entity', '/api/integrations/entities', ['id', 'title', 'description', 'dependsOn', 'multi']],
    ['sync', `${SYNCS}?providers=github`, ['_id', 'providerId', 'entityLabel', 'status', 'updated_at', 'summary']],
    ['template', '/api/integrations/entities/templates/github/gh-pulls', ['_id', 'title', 'description', 'templateKey', 'providerId', 'entryCollection']],
    ['query results', '/api/integrations/entities/aggregation/gh-pulls/pulls-all', ['results', 'count']],
    ['example data', '/api/integrations/entities/mini/github/gh-pulls?limit=1', ['results', 'count']],
    ['saved query', QUERIES, ['_id', 'title', 'jsonNataQuery']],
    ['view', `${VIEWS}?providerId=github&entityLabel=gh-pulls`, ['_id', 'title', 'description', 'jsonNataQuery', 'category', 'basedOn', 'templateKey', 'providerId', 'entityLabel', 'dependees']],
    ['category', `${VIEWS}/categories`, ['_id', 'title']],
    ['history', `${SYNCS}/history`, ['results', 'count']],
  ];

  // @covers 3.fields-current-user
  it.each(FIELDS)('returns every specified field of: %s', async (_what, path, fields) => {
    expect(Object.keys(await one(path))).toEqual(expect.arrayContaining(fields));
  });

  // @covers 3.entity-inside-provider 3.view-category-basedon
  it('returns entities in providers, dependencies, and the dependees of views', async () => {
    const providers = await ada.get<{ key: string; entities: unknown }[]>('/api/integrations/providers');
    // Derived from the registry, so a new connector needs no change here.
    const registered = server.product.registry.all();
    const summaryOf = ({ id, title }: { id: string; title: string }) => ({ id, title });
    expect(providers.map(({ key, entities }) => [key, entities])).toEqual(
      registered.map(({ key, entities }) => [key, entities.map(summaryOf)]),
    );
    expect(providers.slice(0, 2).map(({ entities }) => entities)).toEqual([
      [
        { id: 'gmail-labels', title: 'Labels' },
        { id: 'gmail-messages', title: 'Messages' },
      ],
      [
        { id: 'gh-pulls', title: 'Pull Requests' },
        { id: 'gh-issues', title: 'Issues' },
        { id: 'gh-comments', title: 'Comments' },
        { id: 'gh-reviews', title: 'Reviews' },
        { id: 'gh-runs', title: 'Workflow Runs' },
        { id: 'gh-commits', title: 'Commits' },
        { id: 'gh-releases', title: 'Releases' },
        { id: 'gh-repos', title: 'Repositories' },
      ],
    ]);

    const entities = await ada.get<UserEntity[]>('/api/integrations/entities');
    expect(entities.map(({ id, dependsOn }) => [id, dependsOn])).toEqual(
      registered.flatMap(({ key, entities: own }) =>
        own.map(({ id, dependsOn }) => [id, dependsOn.map((one) => ({ ...one, provider: key }))]),
      ),
    );
    expect(entities.slice(0, 3).map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ['gmail-labels', []],
      ['gmail-messages', [{ entity: 'gmail-labels', provider: 'google', title: 'Labels' }]],
      ['gh-pulls', []],
    ]);

    const views = await ada.get<View[]>(`${VIEWS}?providerId=github&entityLabel=gh-pulls`);
    const [upper, base] = [
      views.find(({ title }) => title === 'On it'),
      views.find(({ _id }) => _id === view._id),
    ];
    expect(base).toMatchObject({ basedOn: null, dependees: [{ _id: upper?._id, title: 'On it' }] });
    expect(upper).toMatchObject({ basedOn: view._id, category: null, dependees: [] });
  });

  it('returns templates with unique keys for each entity of the registry', async () => {
    const keys: string[] = [];
    for (const { key, entities } of server.product.registry.all()) {
      for (const { id } of entities) {
        const templates = await ada.get<Template[]>(`/api/integrations/entities/templates/${key}/${id}`);
        expect(templates.length, id).toBeGreaterThan(0);
        keys.push(...templates.map(({ templateKey }) => templateKey));
      }
    }
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('returns whether the rows of a template are records, and the main columns', async () => {
    const templates = await ada.get<Template[]>('/api/integrations/entities/templates/github/gh-pulls');
    const columns = ['number', 'title', 'state', 'author', 'created_at'];
    expect(templates.find(({ templateKey }) => templateKey === 'pulls-all')).toMatchObject({
      isOfRecords: true,
      columns,
    });
    expect(templates.filter(({ isOfRecords }) => isOfRecords)).toHaveLength(1);
  });

  // @covers 9.entities-keep-these
  it('returns the specified plan limits of the entities', async () => {
    const entities = server.product.registry.all().flatMap((connector) => connector.entities);
    for (const [id, limits] of Object.entries(PLAN_LIMITS))
      expect(entities.find((entity) => entity.id === id)?.limits, id).toEqual(limits);
    const [labels] = await ada.get<UserEntity[]>('/api/integrations/entities');
    expect(labels).toMatchObject({ id: 'gmail-labels', cap: 10, usage: { allowed: 100 } });
  });

  // @covers 1.sync-status-started 3.summary-failed-sync-errmessage
  it('returns the summaries of finished and failed syncs', async () => {
    const [failed, finished] = (await ada.get<{ status: string; summary: object }[]>(
      `${SYNCS}?providers=github`,
    )) as [object, object];
    expect(failed).toMatchObject({ status: 'failed', summary: { errMessage: expect.any(String) } });
    expect(finished).toMatchObject({
      status: 'finished',
      summary: { entitiesSynced: expect.any(Number), timeElapsed: expect.any(Number) },
    });
  });

  // @covers 3.field-dependency-setting 5.allowed-characters-placeholder
  it('returns label, pattern, placeholder and error text of each setting', async () => {
    const entities = await ada.get<UserEntity[]>('/api/integrations/entities');
    const settings = entities.flatMap((entity) => entity.settings);
    for (const setting of settings)
      expect(Object.keys(setting).sort()).toEqual(
        [
          ...['id', 'propKey', 'label', 'type', 'required', 'disabled', 'isChecked'],
          ...['defaultValue', 'pattern', 'placeholder', 'errorText', 'tip'],
        ].sort(),
      );

    const specified = settings.slice(0, 3);
    expect(specified.map(({ label, errorText, required }) => [label, errorText, required])).toEqual([
      ['Label IDs', 'Please enter a valid label ID', true],
      ['Repository owner username', 'Please enter a valid username', true],
      ['Repository name', 'Please enter a valid repository name', true],
    ]);

    const [labels, owner, name] = settings.map(({ pattern }) => new RegExp(`^(?:${pattern})$`, 'u'));
    expect(settings[0]?.placeholder).toBe('E.g. CHAT,SENT,Label123');
    for (const good of ['INBOX', 'CHAT,SENT,Label123', 'Label_1']) expect(good).toMatch(labels ?? /x/);
    for (const bad of ['a b', 'Label-1', 'A;B', 'Ä', 'A,,B']) expect(bad).not.toMatch(labels ?? /x/);
    for (const pattern of [owner, name]) {
      for (const good of ['ada-nowak', 'A_1-b']) expect(good).toMatch(pattern ?? /x/);
      for (const bad of ['a b', 'a/b', 'ä', 'a,b']) expect(bad).not.toMatch(pattern ?? /x/);
    }
    expect('a.b').not.toMatch(owner ?? /x/);
    expect('a.b').toMatch(name ?? /x/);
  });
});

// @covers 5.rule-form-enforced
describe('request validation', () => {
  const long = (length: number) => 'x'.repeat(length);
  const most = (limit: number) => `Must be ${limit} characters or less`;
  const query = { title: 'Fine', jsonNataQuery: '$' };
  const start = (entityLabel: string, entitySettings: Record<string, string>) => ({
    providerId: entityLabel === 'gh-pulls' ? 'github' : 'google',
    entityLabel,
    entitySettings,
  });
  const repository = { owner: 'a', repo: 'b' };

  // biome-ignore format: a table
  const REFUSED: [rule: string, method: string, path: () => string, body: object, fields: Record<string, string>][] = [
    ['Save Query: title required', 'POST', () => QUERIES, { ...query, title: '' }, { title: 'Required' }],
    ['Save Query: title of blanks', 'POST', () => QUERIES, { ...query, title: '   ' }, { title: 'Required' }],
    ['Save Query: title max 20', 'POST', () => QUERIES, { ...query, title: long(21) }, { title: most(20) }],
    ['Save Query: query not empty', 'POST', () => QUERIES, { ...query, jsonNataQuery: '' }, { jsonNataQuery: 'Required' }],
    ['Create view: title required', 'POST', () => VIEWS, { ...VIEW, title: '' }, { title: 'Required' }],
    ['Create view: title max 50', 'POST', () => VIEWS, { ...VIEW, title: long(51) }, { title: most(50) }],
    ['Create view: description required', 'POST', () => VIEWS, { ...VIEW, description: '' }, { description: 'Required' }],
    ['Create view: description max 300', 'POST', () => VIEWS, { ...VIEW, description: long(301) }, { description: most(300) }],
    ['Create view: query required', 'POST', () => VIEWS, { ...VIEW, jsonNataQuery: '' }, { jsonNataQuery: 'Required' }],
    ['Create view: query max 1500', 'POST', () => VIEWS, { ...VIEW, jsonNataQuery: long(1501) }, { jsonNataQuery: most(1500) }],
    ['Create view: provider required', 'POST', () => VIEWS, { ...VIEW, providerId: '' }, { providerId: 'Required' }],
    ['Create view: entity required', 'POST', () => VIEWS, { ...VIEW, entityLabel: '' }, { entityLabel: 'Required' }],
    ['Create view: basedOn or a template required', 'POST', () => VIEWS, { ...VIEW, templateKey: '', basedOn: '' }, { basedOn: 'Required' }],
    ['Update view: title required', 'PUT', () => `${VIEWS}/${view._id}`, { ...VIEW, title: '' }, { title: 'Required' }],
    ['Update view: title max 50', 'PUT', () => `${VIEWS}/${view._id}`, { ...VIEW, title: long(51) }, { title: most(50) }],
    ['Update view: description max 300', 'PUT', () => `${VIEWS}/${view._id}`, { ...VIEW, description: long(301) }, { description: most(300) }],
    ['Update view: query max 1500', 'PUT', () => `${VIEWS}/${view._id}`, { ...VIEW, jsonNataQuery: long(1501) }, { jsonNataQuery: most(1500) }],
    ['Update view: query required', 'PUT', () => `${VIEWS}/${view._id}`, { ...VIEW, jsonNataQuery: ' ' }, { jsonNataQuery: 'Required' }],
    ['Create category: title required', 'POST', () => CATEGORY, { title: '' }, { title: 'Required' }],
    ['Create category: title max 20', 'POST', () => CATEGORY, { title: long(21) }, { title: most(20) }],
    ['Label IDs: required', 'POST', () => SYNCS, start('gmail-messages', { labelIds: '' }), { labelIds: 'Required' }],
    ['Label IDs: pattern', 'POST', () => SYNCS, start('gmail-messages', { labelIds: 'a-b' }), { labelIds: 'Please enter a valid label ID' }],
    ['Owner: required', 'POST', () => SYNCS, start('gh-pulls', { ...repository, owner: '' }), { owner: 'Required' }],
    ['Owner: pattern', 'POST', () => SYNCS, start('gh-pulls', { ...repository, owner: 'a.b' }), { owner: 'Please enter a valid username' }],
    ['Repository: required', 'POST', () => SYNCS, start('gh-pulls', { ...repository, repo: '' }), { repo: 'Required' }],
    ['Repository: pattern', 'POST', () => SYNCS, start('gh-pulls', { ...repository, repo: 'a b' }), { repo: 'Please enter a valid repository name' }],
  ];

  it.each(REFUSED)('enforces the rule of the form: %s', async (_rule, method, path, body, fields) => {
    const response = await ada.call(method, path(), body);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'validation-failed', fields } });
  });

  const REQUIRED = { title: 'Required', jsonNataQuery: 'Required' };
  const TEXTS = { ...REQUIRED, description: 'Required' };
  const MISSING_ENTITY = { providerId: 'Required', entityLabel: 'Required' };
  // biome-ignore format: a table
  const MISSING: [form: string, method: string, path: () => string, fields: Record<string, string>][] = [
    ['Save query', 'POST', () => QUERIES, REQUIRED],
    ['Create view', 'POST', () => VIEWS, { ...TEXTS, ...MISSING_ENTITY }],
    ['Update view', 'PUT', () => `${VIEWS}/${view._id}`, TEXTS],
    ['Create category', 'POST', () => CATEGORY, { title: 'Required' }],
    ['Start sync', 'POST', () => SYNCS, MISSING_ENTITY],
  ];
  // @covers 5.request-lacks-required
  it.each(MISSING)('requires fields that are absent or null: %s', async (_form, method, path, fields) => {
    const nulls = Object.fromEntries(Object.keys(fields).map((field) => [field, null]));
    for (const body of [{}, nulls]) {
      const response = await ada.call(method, path(), body);
      expect(response.status).toBe(422);
      expect(await response.json()).toEqual({
        error: { code: 'validation-failed', message: 'The request is not valid.', fields },
      });
    }
  });

  // @covers 5.exactly-long-limit
  it('accepts texts of exactly the maximum length', async () => {
    const { _id } = await ada.post<View>(VIEWS, {
      ...VIEW,
      title: long(LIMITS.viewTitle),
      description: long(LIMITS.viewDescription),
      jsonNataQuery: `$${' '.repeat(LIMITS.viewQuery - 1)}`,
    });
    await ada.json('DELETE', `${VIEWS}/${_id}`);
    const saved = await ada.post<SavedQuery>(QUERIES, { ...query, title: long(LIMITS.queryTitle) });
    await ada.json('DELETE', `${QUERIES}/${saved._id}`);
  });
});

// @covers 6.connect-disconnect-delete
describe('an action that the demo plan excludes', () => {
  // biome-ignore format: a table
  const GATED: [control: string, method: string, path: () => string, body?: object][] = [
    ['Connect', 'GET', () => '/auth/github'],
    ['Disconnect', 'POST', () => '/api/integrations/providers/disconnect?provider=github'],
    ['Delete data', 'POST', () => '/api/integrations/entities/delete-all-data?provider=github'],
    ['Start sync', 'POST', () => SYNCS, { ...PULLS, entitySettings: { owner: 'a', repo: 'b' } }],
    ['Delete last sync', 'DELETE', () => `${SYNCS}/x`],
    ['Save query (both buttons)', 'POST', () => QUERIES, { title: 'Fine', jsonNataQuery: '$' }],
    ['New Category', 'POST', () => CATEGORY, { title: 'Fine' }],
    ['New View and Save as View', 'POST', () => VIEWS, VIEW],
    ['Update view', 'PUT', () => `${VIEWS}/x`, VIEW],
    ['Delete all data', 'DELETE', () => '/api/accounts/delete-data'],
    ['Delete Account', 'DELETE', () => '/api/accounts/delete-account'],
  ];

  it.each(GATED)('returns 403: %s', async (_control, method, path, body) => {
    if (path().startsWith('/auth/')) {
      await demo.navigator.visit(`${server.url}/auth/demo`);
      const { status, html } = await demo.navigator.visit(server.url + path());
      expect(status).toBe(403);
      expect(html).toContain('/dashboard/integrations/providers?provider=');
      return;
    }
    const response = await demo.call(method, path(), body);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: 'plan-forbids' } });
  });

  // @covers 6.delete-view-json-gated
  it('does not include Delete view and .JSON', async () => {
    const [first] = (await demo.get<View[]>(VIEWS)).filter(({ dependees }) => dependees.length === 0);
    expect((await demo.call('GET', `${VIEWS}/download/${first?._id}`)).status).toBe(200);
    expect((await demo.call('DELETE', `${VIEWS}/${first?._id}`)).status).toBe(200);
  });
});

describe('usage', () => {
  it('starts at zero each month and returns the first day of the next one', async () => {
    await server.product.context.db.$client.query(
      "insert into sync_usage (user_id, entity, month, runs) select id, 'gmail-labels', to_char(now() at time zone 'UTC' - interval '1 month', 'YYYY-MM'), 100 from users where email = 'ada.nowak@sandbox.example'",
    );

    const usage = async () => {
      const entities = await ada.get<UserEntity[]>('/api/integrations/entities');
      return entities.find(({ id }) => id === 'gmail-labels')?.usage;
    };

    const now = new Date();
    const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
    expect(await usage()).toEqual({ used: 0, allowed: 100, resetsAt: nextMonth });

    expect((await runSync(ada, 'gmail-labels')).status).toBe('finished');
    expect(await usage()).toEqual({ used: 1, allowed: 100, resetsAt: nextMonth });
  });
});
