import type { Category, View } from '@datadeck/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

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
  server = await shareServer();
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

describe('deleting a view', () => {
  // @covers 4.same-views-deleted
  it('either fails or makes concurrent views on top of it fail', async () => {
    for (let time = 0; time < TIMES; time++) {
      const { _id } = await ada.post<View>(VIEWS, TEMPLATE_VIEW);
      const onTop = { ...VIEW, basedOn: _id };
      const [deleted, ...built] = await sendConcurrently(
        ['DELETE', `${VIEWS}/${_id}`],
        ['POST', VIEWS, onTop],
        ['POST', VIEWS, onTop],
      );
      expect([200, 409]).toContain(deleted);
      for (const status of built) expect(deleted === 200 ? [404] : [201, 404]).toContain(status);
    }
  });

  it('returns 404 to the second of two concurrent deletions', async () => {
    for (let time = 0; time < TIMES; time++) {
      const { _id } = await ada.post<View>(VIEWS, TEMPLATE_VIEW);
      const path = `${VIEWS}/${_id}`;
      expect((await sendConcurrently(['DELETE', path], ['DELETE', path])).sort()).toEqual([200, 404]);
    }
  });
});

describe('deleting a category', () => {
  // @covers 4.same-views-deleted
  it('leaves no view with the category, despite concurrent writes', async () => {
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
});

describe('deleting all data', () => {
  it('succeeds, and concurrent views are created before or refused after it', async () => {
    for (let time = 0; time < TIMES; time++) {
      const { _id } = await ada.post<View>(VIEWS, TEMPLATE_VIEW);
      const onTop = { ...VIEW, basedOn: _id };
      const [deleted, ...built] = await sendConcurrently(
        ['DELETE', '/api/accounts/delete-data'],
        ['POST', VIEWS, onTop],
        ['POST', VIEWS, onTop],
        ['POST', VIEWS, onTop],
      );
      expect(deleted).toBe(200);
      for (const status of built) expect([201, 404]).toContain(status);
    }
  });
});
