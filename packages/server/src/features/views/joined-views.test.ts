import type { ErrorBody, ListedView, QueryAnswer, View, ViewResults } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAILS, PULLS, signInWithBases } from '../../../test-support/joined-bases.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const VIEWS = '/api/data/views';
const LABELS = {
  name: 'labels',
  providerId: 'google',
  entityLabel: 'gmail-labels',
  templateKey: 'labels-all',
};
const TEXTS = { title: 'Joined', description: 'd' };

interface Mail {
  id: string;
  subject: string;
  labelIds: string[];
}
let server: TestServer;
let ada: Client;
let mails: Mail[];

beforeAll(async () => {
  server = await shareServer();
  ada = await signInWithBases(server);
  mails = await all<Mail>('gmail-messages', 'messages-all');
}, 120_000);
afterAll(() => server?.remove());

/** Returns all rows of a template. */
async function all<T>(entryCollection: string, templateKey: string): Promise<T[]> {
  const body = { entryCollection, templateKey, jsonNataQuery: '[[$]]' };
  const { results } = await ada.post<QueryAnswer>('/api/data/query', body);
  return results[0] as T[];
}

type Named = Omit<typeof PULLS, 'templateKey'> & { templateKey?: string; basedOn?: string; search?: string };

/** Returns the request for a view of several bases. */
function requestOf(bases: readonly Named[], jsonNataQuery: string, more: object = {}) {
  const [{ name: _name, ...first } = PULLS] = bases;
  return { ...TEXTS, ...first, bases, jsonNataQuery, ...more };
}
const first = ({ name: _name, ...base }: typeof PULLS) => base;
const without = ({ templateKey: _key, ...base }: typeof PULLS) => base;
const create = (bases: readonly Named[], expression: string, more: object = {}) =>
  ada.post<View>(VIEWS, requestOf(bases, expression, more));

async function resultsOf({ _id }: View, query = ''): Promise<unknown[]> {
  return (await ada.get<ViewResults>(`${VIEWS}/aggregate/${_id}${query}`)).results;
}

/** Calls an endpoint that refuses. */
async function refusalOf(method: string, path: string, body?: unknown) {
  const response = await ada.call(method, path, body);
  const { error } = (await response.json()) as ErrorBody;
  return { status: response.status, code: error.code, message: error.message, fields: error.fields };
}
const refusedBases = (bases: readonly Named[], expression = '$', more: object = {}) =>
  refusalOf('POST', VIEWS, requestOf(bases, expression, more));

describe('a view of several bases', () => {
  it('reads each base as a variable, and the first one as the input', async () => {
    const pulls = await all('gh-pulls', 'pulls-all');
    const view = await create(
      [PULLS, MAILS],
      '{"pulls": $count($pulls), "mails": $count($mails), "input": $count($)}',
    );
    const n = pulls.length;
    expect(view).toMatchObject({ providerId: 'github', entityLabel: 'gh-pulls', templateKey: 'pulls-all' });
    expect(view.bases.map(({ name, entityLabel }) => [name, entityLabel])).toEqual([
      ['pulls', 'gh-pulls'],
      ['mails', 'gmail-messages'],
    ]);
    expect(await resultsOf(view)).toEqual([{ pulls: n, mails: mails.length, input: n }]);
    expect(n).toBeGreaterThan(0);
  });

  it('joins the rows of different entities', async () => {
    const labels = await all<{ id: string; name: string }>('gmail-labels', 'labels-all');
    const view = await create(
      [LABELS, MAILS],
      '[$mails@$m.$labels@$l[$l.id = $m.labelIds[-1]].{"label": $l.name, "subject": $m.subject}]',
    );
    const expected = mails.flatMap(({ subject, labelIds }) => {
      const label = labels.find(({ id }) => id === labelIds.at(-1));
      return label ? [{ label: label.name, subject }] : [];
    });
    expect(expected.length).toBeGreaterThan(20);
    const text = await (await ada.call('GET', `${VIEWS}/download/${view._id}?format=ndjson`)).text();
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(rows).toEqual(expected);
    expect(await resultsOf(view, '?page=2')).toEqual(expected.slice(20, 40));
  });

  it('reads views and searches, with the parameters of its base views', async () => {
    const recent = await ada.post<View>(VIEWS, {
      ...TEXTS,
      ...MAILS,
      jsonNataQuery: '$[$count(labelIds) >= $least]',
      parameters: [{ name: 'least', type: 'number', default: 2 }],
    });
    const { templateKey: _templateKey, ...base } = MAILS;
    const view = await create(
      [PULLS, { ...base, basedOn: recent._id }, { ...MAILS, name: 'unread', search: 'is:unread' }],
      '[$count($mails), $count($unread), $count($unread[$not("UNREAD" in labelIds)])]',
    );
    const withLabels = (least: number) => mails.filter(({ labelIds }) => labelIds.length >= least).length;
    const unread = mails.filter(({ labelIds }) => labelIds.includes('UNREAD')).length;
    expect(view.inputs).toEqual(recent.parameters);
    expect(await resultsOf(view)).toEqual([withLabels(2), unread, 0]);
    expect(await resultsOf(view, `?parameters=${encodeURIComponent('{"least":3}')}`)).toEqual([
      withLabels(3),
      unread,
      0,
    ]);
    expect(withLabels(3)).toBeLessThan(withLabels(2));

    const above = await ada.post<View>(VIEWS, {
      ...TEXTS,
      providerId: 'github',
      entityLabel: 'gh-pulls',
      basedOn: view._id,
      jsonNataQuery: '$sum($)',
    });
    expect(await resultsOf(above)).toEqual([withLabels(2) + unread]);
    expect(above.inputs).toEqual(recent.parameters);
  });

  it('is listed under the entity of each base, and by its base views', async () => {
    const base = await ada.post<View>(VIEWS, { ...TEXTS, ...MAILS, jsonNataQuery: '$' });
    const { templateKey: _templateKey, ...mailBase } = MAILS;
    const view = await create([PULLS, { ...mailBase, basedOn: base._id }], '$count($mails)');
    const listed = async (entity: string) =>
      (await ada.get<ListedView[]>(`${VIEWS}?entityLabel=${entity}`)).find(({ _id }) => _id === view._id);
    expect(await listed('gh-pulls')).toMatchObject({ inputs: [], bases: view.bases });
    expect(await listed('gmail-messages')).toBeDefined();
    expect(await listed('gmail-labels')).toBeUndefined();
    const all = await ada.get<ListedView[]>(VIEWS);
    const dependees = all.find(({ _id }) => _id === base._id)?.dependees;
    expect(dependees).toEqual([{ _id: view._id, title: view.title }]);
    expect(await refusalOf('DELETE', `${VIEWS}/${base._id}`)).toMatchObject({ code: 'view-in-use' });

    const { undo } = (await (await ada.call('DELETE', `${VIEWS}/${view._id}`)).json()) as { undo: string };
    const restored = await ada.post<View>(`${VIEWS}/restore`, { undo });
    expect(restored).toMatchObject({ _id: view._id, bases: view.bases });
    await ada.call('DELETE', `${VIEWS}/${view._id}`);
    expect((await ada.call('DELETE', `${VIEWS}/${base._id}`)).status).toBe(200);
  });

  it('changes its further bases, but never into a circle', async () => {
    const { templateKey: _templateKey, ...pullBase } = PULLS;
    const lower = await create([PULLS, MAILS], '[$count($pulls), $count($mails)]');
    const upper = await create([{ ...pullBase, basedOn: lower._id }, LABELS], '$sum($pulls)');
    const change = (bases: readonly Named[]) => ({ ...TEXTS, jsonNataQuery: '$count($last)', bases });
    expect(
      await refusalOf(
        'PUT',
        `${VIEWS}/${lower._id}`,
        change([PULLS, { ...pullBase, name: 'last', basedOn: upper._id }]),
      ),
    ).toMatchObject({ status: 422, fields: { 'bases.1.basedOn': "'Joined' builds on this view itself" } });
    expect(
      await refusalOf(
        'PUT',
        `${VIEWS}/${lower._id}`,
        change([PULLS, { ...pullBase, name: 'last', basedOn: lower._id }]),
      ),
    ).toMatchObject({ status: 422, fields: { 'bases.1.basedOn': "'Joined' builds on this view itself" } });
    expect(await refusalOf('PUT', `${VIEWS}/${lower._id}`, change([MAILS, PULLS]))).toMatchObject({
      fields: { bases: 'The first base of a view cannot change' },
    });
    const response = await ada.call(
      'PUT',
      `${VIEWS}/${lower._id}`,
      change([PULLS, { ...LABELS, name: 'last' }]),
    );
    const changed = (await response.json()) as View;
    expect(changed.bases.map(({ name }) => name)).toEqual(['pulls', 'last']);
    expect(await resultsOf(changed)).toEqual([(await all('gmail-labels', 'labels-all')).length]);
  });

  it.each<[string, Named[], object, object]>([
    [
      'a name of a function',
      [PULLS, { ...MAILS, name: 'count' }],
      {},
      { 'bases.1.name': '$count is a function of the language' },
    ],
    ['a name twice', [PULLS, { ...MAILS, name: 'pulls' }], {}, { 'bases.1.name': 'Already in use' }],
    [
      'a name that is none',
      [PULLS, { ...MAILS, name: 'my mails' }],
      {},
      { 'bases.1.name': expect.any(String) },
    ],
    [
      'the name of a parameter',
      [PULLS, MAILS],
      { parameters: [{ name: 'mails', type: 'text' }] },
      { 'bases.1.name': '$mails is a parameter' },
    ],
    [
      'another first base',
      [PULLS, MAILS],
      { templateKey: 'pulls-review-requests' },
      { bases: expect.stringContaining('first base') },
    ],
    [
      'six bases',
      [PULLS, ...[1, 2, 3, 4, 5].map((n) => ({ ...MAILS, name: `m${n}` }))],
      {},
      { bases: 'At most 5 bases' },
    ],
    [
      'no source',
      [PULLS, { ...MAILS, templateKey: '' }],
      {},
      { 'bases.1.basedOn': 'Either a template or a view' },
    ],
    [
      'a broken search',
      [PULLS, { ...MAILS, search: 'is:lost' }],
      {},
      { 'bases.1.search': expect.any(String) },
    ],
  ])('is refused with %s', async (_what, bases, more, fields) => {
    expect(await refusedBases(bases, '$', more)).toMatchObject({ status: 422, fields });
  });

  it('is refused with a template that does not exist, or a view of someone else', async () => {
    expect((await refusedBases([PULLS, { ...MAILS, templateKey: 'pulls-all' }])).status).toBe(404);
    const jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
    const his = await jonas.post<View>(VIEWS, { ...TEXTS, ...MAILS, jsonNataQuery: '$' });
    const { templateKey: _templateKey, ...mailBase } = MAILS;
    expect((await refusedBases([PULLS, { ...mailBase, basedOn: his._id }])).status).toBe(404);
  });

  it('is refused when its bases need different types of a parameter', async () => {
    const bases: Named[] = [];
    for (const type of ['text', 'number']) {
      const parameters = [{ name: 'since', type }];
      const view = await ada.post<View>(VIEWS, { ...TEXTS, ...PULLS, jsonNataQuery: '$', parameters });
      const { templateKey: _templateKey, ...base } = PULLS;
      bases.push({ ...base, name: type, basedOn: view._id });
    }
    expect(await refusedBases(bases.map((base, index) => ({ ...base, name: `list${index}` })))).toMatchObject(
      {
        fields: { bases: '$since has different types in them' },
      },
    );
  });

  it('keeps one type for parameters of the same name in bases of a view, also when one of them changes', async () => {
    const parameter = (type: string) => [{ name: 'least', type }];
    const one = { ...TEXTS, ...first(PULLS), title: 'One', jsonNataQuery: '$', parameters: [] };
    const pulls = await ada.post<View>(VIEWS, one);
    const mailView = await ada.post<View>(VIEWS, {
      ...TEXTS,
      ...first(MAILS),
      title: 'Two',
      jsonNataQuery: '$',
      parameters: parameter('number'),
    });
    const joined = await create(
      [
        { ...without(PULLS), basedOn: pulls._id },
        { ...without(MAILS), basedOn: mailView._id },
      ],
      '$count($mails)',
    );
    const path = `${VIEWS}/${pulls._id}`;
    const change = (parameters: object[]) => ({ ...TEXTS, title: 'One', jsonNataQuery: '$', parameters });
    const refused = await refusalOf('PUT', path, change(parameter('text')));
    expect(refused).toMatchObject({ status: 422, code: 'validation-failed' });
    expect(refused.message).toContain('$least');
    // Nor may a base get a parameter with the name of another base.
    const hidden = await refusalOf('PUT', path, change([{ name: 'mails', type: 'number' }]));
    expect(hidden).toMatchObject({ status: 422, code: 'validation-failed' });
    await ada.json('PUT', path, change(parameter('number')));
    expect(await resultsOf(joined, `?parameters=${encodeURIComponent('{"least":1}')}`)).toEqual([
      mails.length,
    ]);
  });
});
