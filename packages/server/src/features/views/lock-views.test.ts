import type { Category, View } from '@datadeck/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Client, startTestServer, type TestServer } from '../../../test-support/test-server.ts';

const VIEWS = '/api/data/views';
const CATEGORY = '/api/data/views/category';
const VIEW = {
  title: 'A view',
  description: 'x',
  jsonNataQuery: '$',
  providerId: 'github',
  entityLabel: 'gh-pulls',
};
const TEMPLATE_VIEW = { ...VIEW, templateKey: 'pulls-all' };
const TIMES = 15;
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.remove());
beforeEach(async () => {
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
});

/** Sends all requests concurrently. @returns their statuses */
async function sendConcurrently(
  ...calls: [method: string, path: string, body?: object][]
): Promise<number[]> {
  const answers = await Promise.all(calls.map((call) => ada.call(...call)));
  return answers.map(({ status }) => status);
}

// @covers 4.same-views-deleted
test('a view that is deleted while others are built on it is either in use or not there', async () => {
  for (let time = 0; time < TIMES; time++) {
    const { _id } = await ada.post<View>(VIEWS, TEMPLATE_VIEW);
    const upon = { ...VIEW, basedOn: _id };
    const [deleted, ...built] = await sendConcurrently(
      ['DELETE', `${VIEWS}/${_id}`],
      ['POST', VIEWS, upon],
      ['POST', VIEWS, upon],
    );
    expect([200, 409]).toContain(deleted);
    for (const status of built) expect(deleted === 200 ? [404] : [201, 404]).toContain(status);
  }
});

test('of two who delete a view one is told that it is gone', async () => {
  for (let time = 0; time < TIMES; time++) {
    const { _id } = await ada.post<View>(VIEWS, TEMPLATE_VIEW);
    const path = `${VIEWS}/${_id}`;
    expect((await sendConcurrently(['DELETE', path], ['DELETE', path])).sort()).toEqual([200, 404]);
  }
});

// @covers 4.same-views-deleted
test('no view keeps a category that is deleted while it is used', async () => {
  for (let time = 0; time < TIMES; time++) {
    const { _id: category } = await ada.post<Category>(CATEGORY, { title: `c ${time}` });
    const view = await ada.post<View>(VIEWS, { ...TEMPLATE_VIEW, category });
    await sendConcurrently(
      ['DELETE', `${CATEGORY}/${category}`],
      ['POST', VIEWS, { ...TEMPLATE_VIEW, category }],
      ['PUT', `${VIEWS}/${view._id}`, VIEW],
    );
  }
  const views = await ada.get<View[]>(VIEWS);
  expect(views.filter(({ category }) => category !== null)).toEqual([]);
});

test('views that are made while all data is deleted are made before or after', async () => {
  for (let time = 0; time < TIMES; time++) {
    const { _id } = await ada.post<View>(VIEWS, TEMPLATE_VIEW);
    const upon = { ...VIEW, basedOn: _id };
    const [deleted, ...built] = await sendConcurrently(
      ['DELETE', '/api/accounts/delete-data'],
      ['POST', VIEWS, upon],
      ['POST', VIEWS, upon],
      ['POST', VIEWS, upon],
    );
    expect(deleted).toBe(200);
    for (const status of built) expect([201, 404]).toContain(status);
  }
});
