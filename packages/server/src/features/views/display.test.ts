import { COLUMN_BOUNDS, type View, type ViewDisplay } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const VIEWS = '/api/data/views';
const TEXTS = { title: 'Shown', description: 'For a test.', jsonNataQuery: '$' };
const DISPLAY: ViewDisplay = {
  mode: 'table',
  columns: [{ name: 'title', width: 320 }, { name: 'body', isHidden: true }, { name: 'ü `x`' }],
  sort: '-number',
};
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
});
afterAll(() => server?.remove());

const create = (display?: ViewDisplay | null) =>
  ada.post<View>(VIEWS, {
    ...TEXTS,
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
    ...(display !== undefined && { display }),
  });
const update = (id: string, display: unknown) =>
  ada.call('PUT', `${VIEWS}/${id}`, { ...TEXTS, ...(display !== undefined && { display }) });
const stored = async (id: string) => (await ada.get<View[]>(VIEWS)).find(({ _id }) => _id === id)?.display;

describe('the display of a view', () => {
  it('is stored with it, kept by other updates, and removed by null', async () => {
    const { _id, display } = await create();
    expect(display).toBeNull();
    expect((await update(_id, DISPLAY)).status).toBe(200);
    expect(await stored(_id)).toEqual(DISPLAY);
    expect((await update(_id, undefined)).status).toBe(200);
    expect(await stored(_id)).toEqual(DISPLAY);
    expect((await update(_id, null)).status).toBe(200);
    expect(await stored(_id)).toBeNull();
  });

  it('comes back with a view whose deletion is undone, at its largest', async () => {
    const columns = Array.from({ length: COLUMN_BOUNDS.columns }, (_, index) => ({
      name: '語'.repeat(COLUMN_BOUNDS.name - 3) + index,
      isHidden: true,
      width: COLUMN_BOUNDS.maxWidth,
    }));
    const largest = { ...DISPLAY, columns };
    const { _id, display } = await create(largest);
    expect(display).toEqual(largest);
    const { undo } = await ada.json<{ undo: string }>('DELETE', `${VIEWS}/${_id}`);
    expect((await ada.call('POST', `${VIEWS}/restore`, { undo })).status).toBe(201);
    expect(await stored(_id)).toEqual(largest);
  });

  it.each([
    [{ ...DISPLAY, mode: 'graph' }, 'display.mode'],
    [{ ...DISPLAY, sort: '' }, 'display.sort'],
    [{ ...DISPLAY, columns: [{ name: 'x'.repeat(COLUMN_BOUNDS.name + 1) }] }, 'display.columns.0.name'],
    [{ ...DISPLAY, columns: [{ name: 'x', width: 1 }] }, 'display.columns.0.width'],
    [{ ...DISPLAY, columns: [{ name: '\0' }] }, 'display.columns.0.name'],
    [{ ...DISPLAY, columns: Array.from({ length: 101 }, () => ({ name: 'x' })) }, 'display.columns'],
  ])('is refused beyond its bounds, case %#', async (display, field) => {
    const { _id } = await create();
    const answer = await update(_id, display);
    expect(answer.status).toBe(422);
    const { error } = (await answer.json()) as { error: { fields: object } };
    expect(Object.keys(error.fields)).toEqual([field]);
    expect(await stored(_id)).toBeNull();
  });
});
