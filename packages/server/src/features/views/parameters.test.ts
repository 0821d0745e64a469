import type { ErrorBody, Parameter, QueryAnswer, View, ViewResults } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, startSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

let server: TestServer;
let ada: Client;
let base: View;
let upper: View;

const VIEW = { description: 'x', providerId: 'github', entityLabel: 'gh-pulls' };
const least: Parameter = { name: 'least', type: 'number', default: 0 };
const title: Parameter = { name: 'title', type: 'text', default: null };

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  const started = await startSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
  await awaitEnd(ada, started._id);
  base = await ada.post<View>('/api/data/views', {
    ...VIEW,
    title: 'base',
    jsonNataQuery: '$[number >= $least]',
    templateKey: 'pulls-all',
    parameters: [least],
  });
  upper = await ada.post<View>('/api/data/views', {
    ...VIEW,
    title: 'upper',
    jsonNataQuery: '{"n": $count($), "t": $title, "least": $least}',
    basedOn: base._id,
    parameters: [title],
  });
}, 120_000);
afterAll(() => server?.remove());

const read = (view: View, values?: Record<string, unknown>) =>
  ada.call(
    'GET',
    `/api/data/views/aggregate/${view._id}${values ? `?parameters=${encodeURIComponent(JSON.stringify(values))}` : ''}`,
  );
const resultOf = async (view: View, values?: Record<string, unknown>) =>
  ((await (await read(view, values)).json()) as ViewResults).results[0];
const failureOf = async (response: Response) => {
  const { error } = (await response.json()) as ErrorBody;
  return { status: response.status, code: error.code, fields: error.fields };
};

describe('an invalid parameter', () => {
  it.each([
    [{ least: 'many' }, { least: 'Must be a number' }],
    [{ nobody: 1 }, { nobody: 'Not a parameter of this view' }],
    [{ title: 3 }, { title: 'Must be a text' }],
    [['least'], { parameters: expect.stringContaining('JSON object') }],
  ])('is refused at its field: value %j', async (values, fields) => {
    const failure = await failureOf(await read(upper, values as Record<string, unknown>));
    expect(failure).toEqual({ status: 422, code: 'validation-failed', fields });
  });

  it.each([
    [[{ name: '2nd', type: 'text' }], 'parameters.0.name'],
    [[{ name: 'count', type: 'text' }], 'parameters.0.name'],
    [[{ name: 'when', type: 'date', default: '2024-02-31' }], 'parameters.0.default'],
    [[{ name: 'when', type: 'moment' }], 'parameters.0.type'],
    [
      [
        { name: 'a', type: 'text' },
        { name: 'a', type: 'text' },
      ],
      'parameters.1.name',
    ],
    [[{ name: 'least', type: 'text' }], 'parameters.0.type'],
    [Array.from({ length: 11 }, (_, index) => ({ name: `p${index}`, type: 'text' })), 'parameters'],
  ])('is refused at its field: declaration %j', async (parameters, field) => {
    const body = { title: 'upper', description: 'x', jsonNataQuery: '$', parameters };
    const failure = await failureOf(await ada.call('PUT', `/api/data/views/${upper._id}`, body));
    expect(failure).toMatchObject({ status: 422, code: 'validation-failed' });
    expect(Object.keys(failure.fields ?? {})).toEqual([field]);
  });

  it('is refused if a view on top declares another type, and names that view', async () => {
    const top = await ada.post<View>('/api/data/views', {
      ...VIEW,
      title: 'top',
      jsonNataQuery: '$top',
      basedOn: upper._id,
      parameters: [{ name: 'top', type: 'text' }],
    });

    const body = { title: 'base', description: 'x', jsonNataQuery: base.jsonNataQuery };
    const path = `/api/data/views/${base._id}`;
    const response = await ada.call('PUT', path, {
      ...body,
      parameters: [least, { name: 'top', type: 'number' }],
    });

    const { error } = (await response.json()) as ErrorBody;
    expect(response.status).toBe(422);
    expect(error.message).toContain("'top'");
    expect(error.fields).toEqual({
      'parameters.1.type': "Must be text, as in 'top', which builds on this view",
    });

    // The same type is allowed, and so is removing the parameter.
    const same = await ada.call('PUT', path, { ...body, parameters: [least, { name: 'top', type: 'text' }] });
    expect(same.status).toBe(200);
    expect((await ada.call('PUT', path, { ...body, parameters: [least] })).status).toBe(200);
    await ada.call('DELETE', `/api/data/views/${top._id}`);
  });
});

describe('a parameter', () => {
  it('is listed with its view, as an input also with views on top', async () => {
    expect(upper).toMatchObject({ parameters: [title], inputs: [least, title] });
    const listed = await ada.get<View[]>('/api/data/views?providerId=github&entityLabel=gh-pulls');
    expect(listed.find(({ _id }) => _id === upper._id)).toMatchObject({ parameters: [title] });
  });

  it('is bound in the view and its bases, with defaults and separate results', async () => {
    const all = (await resultOf(upper)) as { n: number; least: number };
    expect(all).toEqual({ n: expect.any(Number), least: 0 });

    const below = await ada.json<QueryAnswer>('POST', '/api/data/query', {
      entryCollection: 'gh-pulls',
      templateKey: 'pulls-all',
      jsonNataQuery: '$count($[number < 5])',
    });
    expect(below.results[0]).toBeGreaterThan(0);

    const some = (await resultOf(upper, { least: 5, title: 'five' })) as { n: number };
    expect(some).toEqual({ n: all.n - Number(below.results[0]), t: 'five', least: 5 });
    expect(await resultOf(upper)).toEqual(all);
    expect(await resultOf(upper, { title: 'five', least: 5 })).toEqual(some);
  });

  it('is used by downloads', async () => {
    const query = `parameters=${encodeURIComponent('{"least":5,"title":"x"}')}&format=ndjson`;
    const response = await ada.call('GET', `/api/data/views/download/${upper._id}?${query}`);
    expect(JSON.parse(await response.text())).toMatchObject({ t: 'x', least: 5 });
  });

  // Runs late, because it removes the parameter that other tests use.
  it('is kept by an update without parameters and removed by an empty list', async () => {
    const path = `/api/data/views/${upper._id}`;
    const texts = { title: 'upper', description: 'y', jsonNataQuery: upper.jsonNataQuery };
    expect(await ada.json<View>('PUT', path, texts)).toMatchObject({ parameters: [title] });
    expect(await ada.json<View>('PUT', path, { ...texts, parameters: [] })).toMatchObject({
      parameters: [],
      inputs: [least],
    });
  });

  it('binds a variable of a live query', async () => {
    const body = {
      entryCollection: 'gh-pulls',
      templateKey: 'pulls-all',
      jsonNataQuery: '$who & $count($[number < $n])',
    };
    const answer = await ada.json<QueryAnswer>('POST', '/api/data/query', {
      ...body,
      parameters: { who: 'ada', n: 3 },
    });
    expect(answer.results).toEqual(['ada2']);
    const wrong = await ada.call('POST', '/api/data/query', { ...body, parameters: { 'no name': 1 } });
    expect(wrong.status).toBe(422);
  });
});
