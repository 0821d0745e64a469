import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';

/** Returns a random integer from 0 up to, without, `most`. */
export type Random = (most: number) => number;

/** Returns random numbers that are the same for a seed. */
export function seeded(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** A field of a record as services have it, and how a document reads it. */
export interface FieldKind {
  /** Writes the value of the record with this number; with one for dates, of this time. */
  value(random: Random, number: number, time: number): unknown;
  type: 'text' | 'boolean' | 'time' | 'integer' | 'number' | 'texts';
  /** The expression; `F` is the field. */
  read: string;
}

const two = (value: number) => String(value).padStart(2, '0');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const partsOf = (time: number) => {
  const date = new Date(time);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    clock: date.toISOString().slice(11, 16),
  };
};

/** Dates in the forms of services; all are read as a time. */
export const DATE_KINDS: Readonly<Record<string, FieldKind>> = Object.fromEntries(
  (
    [
      ['instant', (time) => new Date(time).toISOString(), 'F'],
      ['instant of a zone', (time) => `${new Date(time + 7_200_000).toISOString().slice(0, 19)}+02:00`, 'F'],
      [
        'instant with a space',
        (time) => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
        "$replace($substringBefore(F, ' UTC'), ' ', 'T') & 'Z'",
      ],
      ['day', (time) => new Date(time).toISOString().slice(0, 10), 'F'],
      ['mail', (time) => new Date(time).toUTCString(), 'F'],
      ['seconds', (time) => Math.floor(time / 1000), 'F'],
      ['milliseconds', (time) => time, 'F'],
      ['seconds as text', (time) => String(Math.floor(time / 1000)), '$number(F)'],
      [
        'seconds with a fraction',
        (time) => `${Math.floor(time / 1000)}.${String(time % 1000).padStart(3, '0')}200`,
        '$number(F) * 1000',
      ],
      [
        'German',
        (time) => {
          const { year, month, day } = partsOf(time);
          return `${two(day)}.${two(month)}.${year}`;
        },
        "$toMillis(F, '[D01].[M01].[Y0001]')",
      ],
      [
        'German with a time',
        (time) => {
          const { year, month, day, clock } = partsOf(time);
          return `${two(day)}.${two(month)}.${year} ${clock}`;
        },
        "$toMillis(F, '[D01].[M01].[Y0001] [H01]:[m01]')",
      ],
      [
        'American',
        (time) => {
          const { year, month, day } = partsOf(time);
          return `${two(month)}/${two(day)}/${year}`;
        },
        "$toMillis(F, '[M01]/[D01]/[Y0001]')",
      ],
      [
        'digits',
        (time) => new Date(time).toISOString().slice(0, 10).replaceAll('-', ''),
        "$toMillis(F, '[Y0001][M01][D01]')",
      ],
      [
        'digits as a number',
        (time) => Number(new Date(time).toISOString().slice(0, 10).replaceAll('-', '')),
        "$toMillis($string(F), '[Y0001][M01][D01]')",
      ],
      [
        'named month',
        (time) => {
          const { year, month, day } = partsOf(time);
          return `${day} ${MONTHS[month - 1]} ${year}`;
        },
        "$toMillis(F, '[D1] [MNn,3-3] [Y0001]')",
      ],
    ] as [string, (time: number) => unknown, string][]
  ).map(([name, write, read]) => [
    name,
    { type: 'time', read, value: (_: Random, __: number, time: number) => write(time) },
  ]),
);

/** Keys of records. */
export const KEY_KINDS: Readonly<Record<string, FieldKind>> = {
  'a small number': { type: 'text', read: 'F', value: (_, number) => 10 + number },
  'a number of ten digits': { type: 'text', read: 'F', value: (_, number) => 1_234_567_890 + number * 17 },
  'a number of 17 digits': {
    type: 'text',
    read: 'F',
    value: (_, number) => 12_345_678_901_234_000 + number * 64,
  },
  'a number of 19 digits': {
    type: 'text',
    read: 'F',
    value: (_, number) => 1_234_567_890_123_456_800 + number * 4096,
  },
  'a text of 18 digits': {
    type: 'text',
    read: 'F',
    value: (_, number) => String(123_456_789_012_345_678n + BigInt(number)),
  },
  'a UUID': {
    type: 'text',
    read: 'F',
    value: (_, number) => `3f2b6c1e-8d4a-4f6b-9c2d-0a1b2c3d4e${(16 + number).toString(16)}`,
  },
  'an issue key': { type: 'text', read: 'F', value: (_, number) => `ABC-${number}` },
  'a mail address': {
    type: 'text',
    read: '$lowercase(F)',
    value: (_, number) => `${String.fromCharCode(97 + number)}@corporate.example`,
  },
  'an address': {
    type: 'text',
    read: "$substringAfter(F, '/tickets/')",
    value: (_, number) => `https://desk.corporate.example/tickets/${number}`,
  },
};

const oneOf =
  (...values: unknown[]) =>
  (random: Random) =>
    values[random(values.length)];

/** Fields that expressions compare with something. */
export const VALUE_KINDS: Readonly<Record<string, FieldKind>> = {
  'a state': { type: 'boolean', read: 'F = "closed"', value: oneOf('open', 'closed', 'merged') },
  'a type': {
    type: 'text',
    read: 'F = "Bug" ? "bug" : F = \'User Story\' ? \'story\' : "other"',
    value: oneOf('Bug', 'User Story', 'Epic'),
  },
  'a table': {
    type: 'text',
    read: "$lookup({'new': 'to do', 'indeterminate': 'doing', 'done': 'done'}, F)",
    value: oneOf('new', 'indeterminate', 'done'),
  },
  'one of several': {
    type: 'boolean',
    read: "F in ['completed', 'canceled']",
    value: oneOf('completed', 'canceled', 'started'),
  },
  'small letters': {
    type: 'boolean',
    read: "$lowercase(F) = 'resolved'",
    value: oneOf('Resolved', 'RESOLVED', 'Pending'),
  },
  'a part': {
    type: 'boolean',
    read: "$contains(F, 'urgent')",
    value: oneOf('This is urgent!', 'Printer of Adelheid', 'urgently Benedikta'),
  },
  'a pattern': {
    type: 'boolean',
    read: '$contains(F, /refund|invoice/i)',
    value: oneOf('Refund for Adelheid', 'Hello Benedikta', 'An invoice'),
  },
  'a letter': { type: 'boolean', read: "F = 'Y'", value: oneOf('Y', 'N') },
  'a flag': { type: 'boolean', read: "F = 'true'", value: oneOf('true', 'false') },
  'a limit': { type: 'text', read: "F > 50 ? 'high' : 'low'", value: (random) => 10 + random(90) },
  'a number': { type: 'boolean', read: 'F = 404', value: oneOf(404, 500, 403) },
  'a price': { type: 'boolean', read: 'F >= 99.5', value: (random) => 90 + random(100) / 4 },
  'a number as text': {
    type: 'boolean',
    read: '$number(F) > 1000',
    value: (random) => String(900 + random(300)),
  },
  'a duration': {
    type: 'integer',
    read: '$number($match(F, /^PT(\\d+)H/).groups[0])',
    value: (random) => `PT${1 + random(9)}H30M`,
  },
  'a month': {
    type: 'time',
    read: "F & '-01'",
    value: (random) => `20${10 + random(15)}-${two(1 + random(12))}`,
  },
  'a time of day': {
    type: 'boolean',
    read: "$toMillis('2020-01-01T' & F & ':00Z') > 0",
    value: (random) => `${two(random(24))}:${two(random(60))}`,
  },
  'a day to compare': {
    type: 'boolean',
    read: "F >= '2024-06-01'",
    value: (random) => `2024-${two(1 + random(12))}-${two(1 + random(28))}`,
  },
  parts: {
    type: 'text',
    read: "$split(F, ' / ')[1] = 'Backlog' ? 'backlog' : 'other'",
    value: oneOf('Adelheid / Backlog', 'Benedikta / Sprint 7'),
  },
  labels: { type: 'boolean', read: "'bug' in F", value: oneOf(['bug', 'Adelheid'], ['later'], []) },
  'an escaped text': {
    type: 'text',
    read: '$decodeUrlComponent(F)',
    value: oneOf('Adelheid%20Lovelace', 'plain', '%C3%A4'),
  },
};

const picked = <Kind>(kinds: Readonly<Record<string, Kind>>, random: Random): Kind =>
  Object.values(kinds)[random(Object.keys(kinds).length)] as Kind;

/** Records in the random forms of a service, newest first, and the right document for them. */
export function oddService(seed: number): {
  document: ConnectorDocument;
  answer: { tickets: unknown[]; total: number };
} {
  const random = seeded(seed);
  const [key, date] = [picked(KEY_KINDS, random), picked(DATE_KINDS, random)];
  const values = Array.from({ length: 5 }, () => picked(VALUE_KINDS, random));
  const start = Date.UTC(2024, 11, 20, 9, 30, 15, 250);
  const tickets = Array.from({ length: 6 + random(12) }, (_, number) => {
    const time = start - number * 86_400_000 * (1 + random(2)) - number * 31 * 86_400_000;
    return {
      ref: key.value(random, number, time),
      made: date.value(random, number, time),
      owner: { name: ['Adelheid', 'Benedikta'][number % 2] },
      ...Object.fromEntries(values.map((kind, index) => [`f${index}`, kind.value(random, number, time)])),
    };
  });
  const readAs = ({ read }: FieldKind, name: string) => read.replaceAll(/\bF\b/g, `record.${name}`);
  const document = connectorDocumentSchema.parse({
    version: 1,
    key: 'odd',
    title: 'Odd',
    description: 'A service of the tests.',
    baseUrl: 'https://odd.example.com/api',
    authentication: { kind: 'bearer' },
    connect: { secret: { name: 'token', label: 'Token' } },
    quota: { perMinute: 1000 },
    failed: "$not($type(response.tickets) = 'array')",
    entities: [
      {
        id: 'odd-tickets',
        title: 'Tickets',
        description: 'All tickets.',
        request: { path: '/tickets' },
        records: 'response.tickets',
        total: 'response.total',
        sortedBy: 'made',
        key: readAs(key, 'ref'),
        date: readAs(date, 'made'),
        columns: {
          made: { type: 'time', value: readAs(date, 'made') },
          owner: { type: 'text', value: 'record.owner.name' },
          ...Object.fromEntries(
            values.map((kind, index) => [`f${index}`, { type: kind.type, value: readAs(kind, `f${index}`) }]),
          ),
        },
        titleColumn: 'owner',
        templates: [{ kind: 'records', key: 'odd-all', title: 'All', description: 'All, the newest first.' }],
      },
    ],
  });
  return { document, answer: { tickets, total: tickets.length } };
}
