import type { ConnectorRecord } from '@datadeck/connectors';
import { pullRecord } from '@datadeck/connectors/github';
import { messageRecord } from '@datadeck/connectors/google';

export type Random = () => number;

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

/** Values of a wrong type. */
const ODD: readonly unknown[] = [
  null,
  0,
  5,
  -1.5,
  1e21,
  true,
  false,
  '',
  'bug',
  'open',
  [],
  ['bug'],
  ['open', 'closed'],
  {},
  { name: 'bug', login: 'ada' },
  [[{ name: 'bug' }]],
  'é\u0001"\\',
  '\ud83d\ude00',
];

function orOdd(random: Random, value: unknown): unknown {
  const chance = random();
  if (chance < 0.08) return undefined;
  return chance < 0.16 ? pick(random, ODD) : value;
}

function instant(random: Random): string {
  return new Date(Date.UTC(2024, Math.floor(random() * 24), 1 + Math.floor(random() * 28)))
    .toISOString()
    .replace('.000', '');
}

/** Returns a random pull request with missing or malformed fields, in a random JSON notation. */
export function randomPull(random: Random, id: number): ConnectorRecord {
  const created = instant(random);
  const raw = {
    id,
    number: orOdd(random, id),
    title: orOdd(
      random,
      pick(random, ['Fix bug', 'Add docs', 'Open the door', 'Größe', '10', '\ud83d\ude00 emoji']),
    ),
    state: orOdd(random, pick(random, ['open', 'closed'])),
    draft: orOdd(random, random() < 0.5),
    user: orOdd(random, {
      login: orOdd(random, pick(random, ['ada', 'ben', 'ghost'])),
      id: orOdd(random, id % 3),
    }),
    labels: orOdd(
      random,
      Array.from(
        { length: Math.floor(random() * 3) },
        () => orOdd(random, { name: orOdd(random, pick(random, ['bug', 'docs'])) }) ?? null,
      ),
    ),
    created_at: orOdd(random, created),
    updated_at: orOdd(random, random() < 0.5 ? created : instant(random)),
    merged_at: orOdd(random, random() < 0.5 ? null : instant(random)),
    additions: orOdd(random, pick(random, [0, 1, 2.5, 10, 1e3, 123_456_789_012_345_680])),
    base: orOdd(random, {
      repo: orOdd(random, {
        full_name: 'a/b',
        stars: orOdd(random, id % 5),
        // Large enough to be shared with other records.
        about: pick(random, ['bug', 'docs']).padEnd(2100, '.'),
      }),
    }),
  };
  const text = JSON.stringify(raw, undefined, random() < 0.2 ? 2 : 0);
  const escaped =
    random() < 0.1
      ? text.replaceAll('bug', '\\u0062ug')
      : random() < 0.05
        ? text.replace('"id"', '"lone": "\\ud83d", "id"')
        : text;
  return { ...pullRecord(JSON.parse(escaped), 'a/b'), data: Buffer.from(escaped) };
}

/** Returns a random Gmail message resource, complete or with missing fields. */
export function randomMessage(random: Random, id: number): ConnectorRecord {
  const headers = [
    { name: 'From', value: pick(random, ['Ada <ada@example.org>', 'ben@example.org', '', 'broken <']) },
    { name: 'Subject', value: pick(random, ['Fix bug', 'Hello', '', '\ud83d lone', 'Größe']) },
    { name: 'Date', value: pick(random, ['Mon, 01 Jan 2024 00:00:00 GMT', 'nonsense']) },
  ].filter(() => random() < 0.9);
  return messageRecord({
    id: `m${id}`,
    threadId: pick(random, ['t1', 't2', undefined]),
    labelIds: pick(random, [['INBOX'], ['INBOX', 'UNREAD'], [], undefined]),
    snippet: pick(random, ['bug', 'docs &amp; more']),
    internalDate: pick(random, [String(Date.parse(instant(random))), undefined]),
    sizeEstimate: pick(random, [0, 10, 2000, undefined]),
    payload: { headers, mimeType: 'text/plain' },
  });
}
