import type { DocumentRequest } from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import { type Random, seeded } from '../../../test-support/declarative/field-kinds.ts';
import { plainDocument } from '../../../test-support/declarative/hostile-service.ts';
import { dateFormOf } from '../date-form.ts';
import { decode } from '../decode.ts';
import { writeAnswer } from '../written-answer.ts';
import { SecretHider } from './hide-secret.ts';
import { recordAnswer } from './record-answer.ts';

type Decode = DocumentRequest['decode'];

/** No word of the document, and no part of one. */
const SYLLABLES = ['qua', 'vex', 'zyl', 'mok', 'juv', 'wib', 'fyx', 'gop'];
const YEARS = ['1991', '1992', '1993'];

/** Makes values of people, and remembers the parts by which they would be recognised. */
class Plants {
  readonly #random: Random;
  readonly parts: string[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  word(): string {
    const word = Array.from({ length: 3 }, () => SYLLABLES[this.#random(8)]).join('');
    this.parts.push(word);
    return word;
  }

  #digits(count: number): string {
    const digits = Array.from({ length: count }, () => String(1 + this.#random(9))).join('');
    this.parts.push(digits);
    return digits;
  }

  #date(): string {
    const year = YEARS[this.#random(3)] ?? '';
    this.parts.push(`${year}-`, ` ${year}`, `.${year}`);
    return new Date(
      Date.parse(`${year}-01-01`) + this.#random(300) * 86_400_000 + 1000 * this.#random(86_400),
    ).toISOString();
  }

  /** Returns a value of any kind; of formats without numbers, its text. */
  value(): unknown {
    const word = this.word();
    const choices = [
      () => word,
      () => `${word[0]?.toUpperCase()}${word.slice(1)} ${this.word()}`,
      () => `${word}@${this.word()}.example`,
      () =>
        `https://${word}.example/${this.word()}/${this.#digits(8)}?user=${this.word()}&id=${this.#digits(9)}`,
      () => `/${word}/${this.word()}?after=${this.word()}&page=2`,
      () => `?${word}=${this.word()}`,
      () => `+49 ${this.#digits(9)}`,
      () => Number(this.#digits(9)),
      () => Number(this.#digits(15)) / 1000,
      () => Number(this.#digits(17).slice(0, 15).padEnd(17, '0')),
      () => this.#digits(20),
      () => this.#date(),
      () => this.#date().slice(0, 10),
      () => dateFormOf('01.02.2020')?.write(Date.parse(this.#date())),
      () => dateFormOf('1 Feb 2020')?.write(Date.parse(this.#date())),
      () => ({ [this.word()]: { [this.word()]: this.word() } }),
      () => ({ [`${word}@${this.word()}.example`]: 1, [this.#digits(8)]: true }),
      () => [this.word(), this.word()],
      () => `${'é'.repeat(3)}${word}—${word}`,
    ];
    return choices[this.#random(choices.length)]?.();
  }

  scalar(): string {
    const value = this.value();
    return typeof value === 'object' ? this.word() : String(value);
  }
}

const NAMES = ['customer', 'account', 'discount', 'homepage', 'country', 'owner', 'state', 'key', 'project'];

/** Returns a list of records with values of people in all places, in a form that can be written in a format. */
function planted(decodeAs: Decode, random: Random, plants: Plants): unknown {
  const isFlat = decodeAs === 'csv';
  const isJson = decodeAs === 'json' || decodeAs === 'ndjson';
  const value = () => (isJson ? plants.value() : plants.scalar());
  const twice = plants.word();
  const rows = Array.from(
    { length: 3 + random(4) },
    (): Record<string, unknown> => ({
      ...Object.fromEntries(NAMES.map((name) => [name, value()])),
      company: twice,
      ...(!isFlat && { inner: { company: twice, name: value() } }),
    }),
  );
  if (decodeAs === 'csv' || decodeAs === 'ndjson') return rows;
  const own = Object.fromEntries(NAMES.map((name) => [name, value()]));
  if (decodeAs === 'json') return { items: rows, ...own, [plants.word()]: { [plants.word()]: value() } };
  if (decodeAs === 'xml') return { list: { '@total': '61', '@owner': plants.scalar(), ...own, item: rows } };
  const entries = rows.map(({ customer, account }) => ({
    id: plants.scalar(),
    title: { '@type': 'html', '#text': String(customer) },
    link: { '@rel': 'alternate', '@href': `https://${plants.word()}.example/${plants.word()}` },
    author: { name: String(account) },
    updated: '2026-01-05T10:00:00Z',
  }));
  return { feed: { title: plants.scalar(), entry: entries } };
}

/** Returns what is recorded of an answer whose values are all those of people. */
function recordingOf(seed: number, decodeAs: Decode): { plants: Plants; text: string } {
  const random = seeded(seed);
  const plants = new Plants(random);
  const answer = writeAnswer(decodeAs, planted(decodeAs, random, plants));
  const bytes = new Uint8Array(Buffer.from(answer));
  const document = plainDocument({ pagination: 'cursor-in-query', isCounted: true });
  const [entity] = document.entities;
  if (!entity) throw new Error('there is no entity');
  const used = { ...document, entities: [{ ...entity, request: { ...entity.request, decode: decodeAs } }] };
  const headers = {
    'content-type': 'application/json',
    link: `<https://${plants.word()}.example/${plants.word()}?page=2&${plants.word()}=${plants.word()}>; rel="next"; title="${plants.word()}"`,
    'x-total': '61',
    'x-next-cursor': plants.word(),
    'x-page-owner': plants.scalar().replaceAll(/[^\x20-\x7e]/g, 'x'),
    'x-request-id': plants.word(),
  };
  const recording = recordAnswer({
    task: {
      index: 0,
      status: 200,
      answer: { bytes, headers },
      variables: {
        config: { site: plants.word() },
        settings: { project: plants.word() },
        now: new Date().toISOString(),
        parent: JSON.stringify({ id: plants.word() }),
      },
    },
    document: used,
    response: decode(decodeAs, bytes),
    hider: new SecretHider(['secret-token']),
  });
  expect(recording).toBeDefined();
  return { plants, text: JSON.stringify(recording).toLowerCase() };
}

/** Returns what is recorded of an answer for an entity with changes. */
function recordedText(response: unknown, changes: object): string {
  const document = plainDocument();
  const entities = document.entities.map((entity) => ({ ...entity, ...changes }));
  const task = {
    index: 0,
    status: 200,
    answer: { bytes: new Uint8Array(), headers: {} },
    variables: { config: {}, settings: {}, now: '2026-06-01T10:00:00.000Z' },
  };
  const used = { ...document, entities };
  const recording = recordAnswer({ task, document: used, response, hider: new SecretHider([]) });
  return recording?.text ?? '';
}

/** Returns whether a text has a planted part; numbers made by chance may have its digits among others. */
function isSeen(text: string, part: string): boolean {
  const places = text.split(part);
  if (!/^\D?\d+\D?$/.test(part)) return places.length > 1;
  return places.slice(1).some((after, at) => !/^\d/.test(after) && !/\d$/.test(places[at] ?? ''));
}

describe('a recording', () => {
  it.each(['json', 'ndjson', 'csv', 'xml', 'feed'] as const)(
    'of %s has no value of a person, wherever it is',
    (decodeAs) => {
      for (let seed = 0; seed < 60; seed++) {
        const { plants, text } = recordingOf(seed, decodeAs);
        expect(
          plants.parts.filter((part) => isSeen(text, part)),
          `seed ${seed}: ${text}`,
        ).toEqual([]);
      }
    },
  );

  it('has no number of a person whose name has a word of pages, nor below such a name', () => {
    const owner = {
      last_four: '4242',
      current_salary: 85_123,
      credit_limit: 25_347,
      last_id: 731_946,
      balance: { total: 52_417 },
      card: { last: 4711 },
      last_ssn_digits: 6789,
      page: 'https://acme.example/a?last_user_id=482131&current_employee=77123&last_id=618243&page=37',
      first: '/a?first_patient=991234',
    };
    const text = recordedText({ ...owner, items: [owner, owner] }, { total: 'response.paging.total' });
    expect(text).not.toMatch(/4242|85123|25347|731946|52417|4711|6789|482131|77123|618243|991234/);
    expect(text).toMatch(/page=37/);
  });

  it('keeps what counts records, also at a name that the document reads', () => {
    const response = {
      total_count: 1291,
      tickets: { totalCount: 1292, list: [{ id: 1 }] },
      invoices: { size: 1293, sum: 1294 },
    };
    const changes = { records: 'response.tickets.list', total: 'response.invoices.sum' };
    expect(recordedText(response, changes)).toMatch(/1291.*1292.*1293.*1294/);
  });

  it('has no name of a person above a list', () => {
    const response = {
      by_user: { AdaNowak: [{ hours: 1 }], BobKim: [{ hours: 2 }] },
      patients: { Maria_Schmidt: { visits: [{ day: 1 }] } },
      tickets: [{ id: 1 }],
    };
    const text = recordedText(response, { records: 'response.tickets' });
    expect(text).not.toMatch(/Nowak|Kim|Maria|Schmidt/);
    expect(text).toMatch(/"tickets"/);
  });

  it('says nothing about the real times by what is between them', () => {
    const times = Array.from({ length: 20 }, (_, index) => Date.UTC(2026, 4, 30) - index * 100_000_000);
    const response = { items: times.map((time, id) => ({ id, updated: new Date(time).toISOString() })) };
    const document = plainDocument();
    const now = '2026-06-01T10:00:00.000Z';
    const task = {
      index: 0,
      status: 200,
      answer: { bytes: new Uint8Array(), headers: {} },
      variables: { config: {}, settings: {}, now },
    };
    const recording = recordAnswer({ task, document, response, hider: new SecretHider([]) });
    const { items } = JSON.parse(recording?.text ?? '') as typeof response;
    const moved = items.map(({ updated }, index) => Date.parse(updated) - (times[index] ?? 0));
    expect(new Set(moved).size).toBeGreaterThan(15);
  });
});
