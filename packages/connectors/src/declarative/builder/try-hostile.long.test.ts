import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { API_PATH } from '../../../test-support/declarative/shape.ts';
import { tryAgainst } from '../../../test-support/declarative/try-against.ts';
import { startSmallServer } from '../../sdk/conformance/small-server.ts';
import type { EntityTrial } from './try-entity.ts';

const item = (id: number, more: object = {}) => ({
  id,
  title: `Item ${id}`,
  created: '2026-01-01T00:00:00Z',
  updated: '2026-01-01T00:00:00Z',
  ...more,
});

const messages = ({ result }: EntityTrial) =>
  result.problems.map(({ path, message }) => `${path}: ${message}`).join('\n');

describe('hostile answers to a trial', () => {
  it('reads at most 1 MB of a stream of 500 MB', async () => {
    let sent = 0;
    const trial = await tryAgainst(async (_, response) => {
      const chunk = Buffer.alloc(1024 * 1024, '[');
      while (sent < 500 * 1024 * 1024 && !response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
      response.end();
    });
    expect(messages(trial)).toMatch(/^entities\.0\.request: .*too large.*1 MB/);
    expect(trial.result.answer).toMatchObject({ status: 200, bytes: 0, text: '' });
    expect(sent).toBeLessThan(50 * 1024 * 1024);
  });

  it('ends a trial whose service answers without end', async () => {
    const begun = Date.now();
    const trial = await tryAgainst((_, response) => {
      response.write('[');
      const timer = setInterval(() => response.write('1,'), 100);
      response.on('close', () => clearInterval(timer));
    });
    expect(messages(trial)).toMatch(/within 10 s/);
    expect(Date.now() - begun).toBeGreaterThan(9000);
  });

  it('follows no redirect to another host', async () => {
    let called = 0;
    const other = await startSmallServer((_, response) => {
      called++;
      response.end('[]');
    });
    const trial = await tryAgainst((_, response) => {
      response.writeHead(302, { location: `${other.url}/items` }).end();
    });
    other.close();
    expect([called, messages(trial)]).toEqual([0, expect.stringMatching(/another host/)]);
  });

  it.each([
    ['deep JSON', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, /levels/],
    ['many values', `[${'1,'.repeat(300_000)}1]`, /values/],
    ['JSON that is cut off', '{"items":[{"id":', /not JSON/],
    ['nothing', '', /empty/],
    ['HTML', '<!DOCTYPE html><title>Sign in</title>', /page of HTML/],
    ['a closed connection', null, /could not be reached/],
  ])('explains %s', async (_, body, message) => {
    const trial = await tryAgainst((request, response) =>
      body === null ? request.socket.destroy() : response.end(body),
    );
    expect(messages(trial)).toMatch(message);
  });

  it('bounds what it shows of records with 10,000 fields', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`field_${index}`, 'x'.repeat(20)]),
    );
    const trial = await tryAgainst((_, response) =>
      response.end(JSON.stringify({ items: [item(1, fields), item(2, fields)] })),
    );
    expect(trial.result.suggestions.length).toBeLessThanOrEqual(60);
    expect(JSON.stringify(trial.result).length).toBeLessThan(100_000);
  });

  it.each([
    ['loops', { date: '($f := function($n) { $f($n + 1) }; $f(1))' }],
    ['regular expressions', { date: '$contains(record.title, /^(a+)+$/)' }],
    ['lists', { records: '[1..10000000].[1..10000000]' }],
    [
      'loops in a hundred columns',
      {
        columns: Object.fromEntries(
          ['title', ...Array.from({ length: 98 }, (_, index) => `c${index}`), 'updated'].map((name) => [
            name,
            {
              type: name === 'updated' ? 'time' : 'text',
              value: '($f := function($n) { $f($n + 1) }; $f(1))',
            },
          ]),
        ),
        templates: [{ kind: 'records', key: 'gen1-all', title: 'All', description: 'All.' }],
        sortedBy: 'updated',
        reading: {},
      },
    ],
  ])('ends expressions without end: %s', async (_, changes) => {
    let longest = 0;
    let before = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - before);
      before = performance.now();
    }, 5);
    const trial = await tryAgainst(
      (_request, response) =>
        response.end(JSON.stringify({ items: [item(1, { title: `${'a'.repeat(40)}!` })] })),
      { changes },
    );
    clearInterval(timer);
    expect(messages(trial)).toMatch(/^entities\.0/);
    expect(longest).toBeLessThan(2000);
  });

  it('reads the list of the first parent of the first grandparent', async () => {
    const paths: (string | undefined)[] = [];
    const trial = await tryAgainst(
      (request, response) => {
        paths.push(request.url?.split('?')[0]);
        response.end(JSON.stringify({ items: [item(7), item(8)] }));
      },
      { shape: { parents: 'two', order: 'unsorted' } },
    );
    expect(paths.map((path) => path?.slice(API_PATH.length))).toEqual([
      '/projects/work/workspaces',
      '/workspaces/7/boards',
      '/boards/7/items',
    ]);
    expect(trial.result.records.count).toBe(2);
    const empty = await tryAgainst((_, response) => response.end('{"items":[]}'), {
      shape: { parents: 'one' },
    });
    expect(messages(empty)).toMatch(/no parent for which/);
  });
});
