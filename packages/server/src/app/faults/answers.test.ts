import type { FaultName, FaultSpec, MailOddity, PullOddity } from '@datadeck/sandbox';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ADA, type Collection, FaultStage, REPOSITORY } from '../../../test-support/fault-stage.ts';
import { allRows, awaitEnd, readSync, until } from '../../../test-support/syncing.ts';
import { announceWaitingSync } from '../../features/sync/index.ts';

const UNTIL_REMOVED = Number.POSITIVE_INFINITY;
const HOUR = 3_600_000;
let stage: FaultStage;

beforeAll(async () => {
  stage = await FaultStage.open();
});
afterAll(() => stage?.close());
beforeEach(() => stage.server.control.clearFaults());

describe('limits', () => {
  /** Runs a sync that must find everything. @returns the seconds it waited according to its receipt */
  async function waitOf(from: Collection, ...faults: FaultSpec[]): Promise<number> {
    await stage.clear(from);
    const handles = faults.map((fault) => stage.fault({ match: { api: from.api }, ...fault }));
    const ended = await stage.run(from);
    expect(ended).toMatchObject({ status: 'finished' });
    expect(handles.map(({ hits }) => hits > 0)).toEqual(handles.map(() => true));
    expect(await stage.stored(from)).toEqual(from.ids());
    return ended.summary.waits ?? 0;
  }

  // @covers limits.gmail-403-userratelimitexceeded (gmail-user-rate-limit: the run waits 0.2 to 0.6 s, then continues)
  // @covers limits.gmail-403-ratelimitexceeded (gmail-rate-limit: the run waits 0.2 to 0.6 s, then continues)
  // @covers limits.gmail-429-too (gmail-too-many-concurrent: the run waits 0.2 to 0.6 s, then continues)
  // @covers limits.gmail-429-retry (gmail-too-many-requests: the run waits 1 to 2 s, then continues)
  // @covers limits.github-primary-limit (github-primary-limit: the run waits 1 to 4 s, then continues)
  // @covers limits.github-primary-limit-retry (github-primary-limit-retry-after: the run waits 1 to 2 s, then continues)
  // @covers limits.github-secondary-limit (github-secondary-limit: the run waits 1 to 2 s, then continues)
  // @covers limits.github-secondary-limit-retry (github-secondary-limit-429: the run waits 1 to 2 s, then continues)
  // @covers limits.github-secondary-limit-without (github-secondary-limit-bare: the run waits 60 to 61 s, then continues)
  // @covers limits.reset-past (github-reset-in-past: the run waits 1 to 2 s, then continues)
  test.each<[FaultName, number, number]>([
    ['gmail-user-rate-limit', 0.2, 0.6],
    ['gmail-rate-limit', 0.2, 0.6],
    ['gmail-too-many-concurrent', 0.2, 0.6],
    ['gmail-too-many-requests', 1, 2],
  ])('%s: the run waits %d to %d s, then continues', async (name, least, most) => {
    const waits = await waitOf(stage.gmail, { name });
    expect(waits).toBeGreaterThanOrEqual(least);
    expect(waits).toBeLessThanOrEqual(most);
  });

  test.each<[FaultName, number, number]>([
    ['github-primary-limit', 1, 4],
    ['github-primary-limit-retry-after', 1, 2],
    ['github-reset-in-past', 1, 2],
    ['github-secondary-limit', 1, 2],
    ['github-secondary-limit-429', 1, 2],
    ['github-secondary-limit-bare', 60, 61],
  ])('%s: the run waits %d to %d s, then continues', async (name, least, most) => {
    const waits = await waitOf(stage.github, { name });
    expect(waits).toBeGreaterThanOrEqual(least);
    expect(waits).toBeLessThanOrEqual(most);
  });

  // @covers limits.clocks-differ-hours
  test.each([-7200, 7200])(
    'clock-skew of %d s: no wait is longer or shorter, no change is lost',
    async (seconds) => {
      const skew: FaultSpec = { name: 'clock-skew', times: UNTIL_REMOVED, options: { seconds } };
      const limit: FaultSpec = { name: 'github-primary-limit', options: { seconds: 30 } };
      const waits = await waitOf(stage.github, skew, limit);
      expect(waits).toBeGreaterThanOrEqual(29);
      expect(waits).toBeLessThanOrEqual(32);
      expect(await waitOf(stage.gmail, skew)).toBe(0);
      for (const from of [stage.gmail, stage.github]) {
        from.insert();
        expect(await stage.run(from)).toMatchObject({ status: 'finished', summary: { incremental: true } });
        expect(await stage.stored(from)).toEqual(from.ids());
      }
    },
  );

  /** Waits until a run is released to wait for its provider. @returns the end of the wait, as shown to the user */
  async function awaitPause(id: string): Promise<Date> {
    const { db } = stage.server.product.context;
    let pausedUntil: Date | undefined;
    await until(async () => {
      const { rows } = await db.execute<{ waiting_until: Date | string }>(
        sql`select waiting_until from syncs where id = ${id} and phase = 'waiting'`,
      );
      pausedUntil = rows[0] && new Date(rows[0].waiting_until);
      return pausedUntil !== undefined;
    });
    const { progress } = await readSync(stage.client, id);
    expect(progress).toMatchObject({ phase: 'waiting', retryAt: pausedUntil?.toISOString() });
    return pausedUntil as Date;
  }

  // @covers limits.gmail-403-userratelimitexceeded (gmail-user-rate-limit for long: the run of gmail rests 60 s, says so)
  // @covers limits.gmail-403-ratelimitexceeded (gmail-rate-limit for long: the run of gmail rests 60 s, says so)
  // @covers limits.gmail-403-dailylimitexceeded (gmail-daily-limit for long: the run of gmail rests 3600 s, says so)
  // @covers limits.gmail-429-too (gmail-too-many-concurrent for long: the run of gmail rests 60 s, says so)
  // @covers limits.gmail-429-retry (gmail-too-many-requests for long: the run of gmail rests 60 s, says so)
  // @covers limits.github-primary-limit (github-primary-limit for long: the run of github rests 3000 s, says so)
  // @covers limits.github-secondary-limit (github-secondary-limit for long: the run of github rests 3000 s, says so)
  // @covers limits.github-secondary-limit-retry (github-secondary-limit-429 for long: the run of github rests 3000 s, says so)
  // @covers limits.github-secondary-limit-without (github-secondary-limit-bare for long: the run of github rests 60 s, says so)
  // @covers limits.reset-past (github-reset-in-past for long: the run of github rests 60 s, says so)
  test.each<[FaultName, 'gmail' | 'github', number]>([
    ['gmail-daily-limit', 'gmail', 3600],
    ['gmail-user-rate-limit', 'gmail', 60],
    ['gmail-rate-limit', 'gmail', 60],
    ['gmail-too-many-concurrent', 'gmail', 60],
    ['gmail-too-many-requests', 'gmail', 60],
    ['github-primary-limit', 'github', 3000],
    ['github-secondary-limit', 'github', 3000],
    ['github-secondary-limit-429', 'github', 3000],
    ['github-secondary-limit-bare', 'github', 60],
    ['github-reset-in-past', 'github', 60],
  ])('%s for long: the run of %s rests %d s, says so, then continues', async (name, which, seconds) => {
    const from = stage[which];
    await stage.clear(from);
    const options = name === 'github-reset-in-past' || seconds === 60 ? {} : { options: { seconds } };
    stage.fault({ name, match: { api: from.api }, times: UNTIL_REMOVED, ...options });
    stage.server.control.resetCounters();
    const { _id } = await stage.start(from);
    const rest = await awaitPause(_id);
    const ahead = (rest.getTime() - stage.clock.now()) / 1000;
    expect(ahead).toBeGreaterThan(seconds - 30);
    expect(ahead).toBeLessThanOrEqual(seconds + 2);
    expect(await stage.connection(from)).toBe('connected');

    stage.server.control.clearFaults();
    await stage.clock.pause(2 * HOUR, new AbortController().signal);
    const { context } = stage.server.product;
    // The database does not use the test's clock, so its times are moved here.
    await context.db.execute(
      sql`with due as (
          update pgboss.job set start_after = now() where id = (select job_id from syncs where id = ${_id})
        )
        update syncs set waiting_until = now(), updated_at = now() - make_interval(secs => ${seconds}) where id = ${_id}`,
    );
    await announceWaitingSync(context);
    const { status, summary } = await awaitEnd(stage.client, _id);
    expect(status).toBe('finished');
    expect(await stage.stored(from)).toEqual(from.ids());
    // The receipt counts every request, and the pause like other waits.
    const asked = Object.entries(stage.server.control.counters().requests);
    const answered = asked.filter(([name]) => name.startsWith(`${from.api} `));
    expect(summary.requests).toBe(answered.reduce((sum, [, requests]) => sum + requests, 0));
    expect(summary.waits).toBeGreaterThanOrEqual(seconds);
  });

  // @covers limits.parts-batch-refused
  test('batch-part-refused: no batch is sent whose parts could be refused', async () => {
    await stage.clear(stage.gmail);
    const refused = stage.fault({ name: 'batch-part-refused', times: UNTIL_REMOVED });
    expect(await stage.run(stage.gmail)).toMatchObject({ status: 'finished' });
    expect(await stage.stored(stage.gmail)).toEqual(stage.gmail.ids());
    expect(refused.seen).toBe(0);
  });

  // @covers authorisation.scope-missing-gmail
  test('insufficient-scope at Gmail: the run fails, the connection asks to connect again, which heals it', async () => {
    const { gmail } = stage;
    await stage.clear(gmail);
    const lacking = stage.fault({
      name: 'insufficient-scope',
      match: { api: 'gmail' },
      times: UNTIL_REMOVED,
    });
    const ended = await stage.run(gmail);
    expect(ended).toMatchObject({
      status: 'failed',
      summary: {
        errMessage: 'Reading Gmail was not allowed. Connect Gmail again and leave that box ticked.',
      },
    });
    expect(await stage.connection(gmail)).toBe('reconnect-needed');
    lacking.remove();
    expect(await stage.reconnect(gmail)).toBe('google');
    expect(await stage.run(gmail)).toMatchObject({ status: 'finished' });
    expect(await stage.stored(gmail)).toEqual(gmail.ids());
  });

  // @covers authorisation.github-does-allow (insufficient-scope at GitHub: the run fails)
  // @covers authorisation.organization-asks-single (sso-required at GitHub: the run fails)
  // @covers authorisation.repository-blocked-451 (access-blocked at GitHub: the run fails)
  test.each<[FaultName, RegExp]>([
    ['insufficient-scope', /does not allow access to this repository. Allow it for this app on GitHub/],
    ['sso-required', /requires single sign-on: allow this app there/],
    ['access-blocked', /blocked this repository for legal reasons/],
  ])(
    '%s at GitHub: the run fails and says why; the connection and what is stored stay',
    async (name, message) => {
      const { github } = stage;
      stage.server.control.clearFaults();
      expect(await stage.run(github)).toMatchObject({ status: 'finished' });
      const before = await stage.stored(github);
      stage.fault({ name, match: { api: 'github' }, times: UNTIL_REMOVED });
      const ended = await stage.run(github);
      expect(ended.status).toBe('failed');
      expect(ended.summary.errMessage).toMatch(message);
      expect(await stage.connection(github)).toBe('connected');
      expect(await stage.stored(github)).toEqual(before);
    },
  );
});

describe('transport', () => {
  /** The error message for each lasting fault; undefined when the run succeeds in spite of it. */
  const TRANSPORT: [FaultName, RegExp | undefined][] = [
    ['latency', undefined],
    ['http-500', /is failing \(status 500\)\. Try again later/],
    ['http-502', /is failing \(status 502\)\. Try again later/],
    ['http-503', /is failing \(status 503\)\. Try again later/],
    ['http-504', /is failing \(status 504\)\. Try again later/],
    ['html-error-body', /is failing \(status 502\)\. Try again later/],
    ['html-instead-of-json', /answered with something that is not JSON\. Try again later/],
    ['connection-reset', /could not be reached \(ECONNRESET\)\. Try again later/],
    ['reset-mid-body', /could not be reached \(.+\)\. Try again later/],
    ['truncated-json', /answered with something that is not JSON\. Try again later/],
    ['invalid-json', /answered with something that is not JSON\. Try again later/],
    ['empty-body', /answered with something that is not JSON\. Try again later/],
    ['stalled-stream', /could not be reached \(it stopped responding\)\. Try again later/],
    ['content-length-too-long', /could not be reached \(.+\)\. Try again later/],
    ['content-length-too-short', /Try again later/],
    ['broken-gzip', /sent an answer that cannot be decompressed\. Try again later/],
    ['redirect', /redirects without end/],
    ['redirect-loop', /redirects without end/],
  ];

  beforeAll(async () => {
    for (const from of [stage.gmail, stage.github]) {
      await stage.clear(from);
      await stage.run(from);
    }
  });

  const orderOf = (name: FaultName, { api }: Collection) => ({
    name,
    match: { api },
    options: { milliseconds: 20 },
  });

  /** With a lasting fault, the run fails with the message and keeps the stored records. */
  async function expectFailure(
    name: FaultName,
    message: RegExp | undefined,
    from: Collection,
  ): Promise<void> {
    from.insert();
    const before = await stage.stored(from);
    const lasting = stage.fault({ ...orderOf(name, from), times: UNTIL_REMOVED });
    const ended = await stage.run(from);
    lasting.remove();
    expect(ended.status).toBe(message ? 'failed' : 'finished');
    if (message) expect(ended.summary.errMessage).toMatch(message);
    expect(await stage.stored(from)).toEqual(message ? before : from.ids());
    expect(await stage.connection(from)).toBe('connected');
  }

  /** With a fault that occurs twice, the run succeeds and stores everything. */
  async function expectRecovery(name: FaultName, from: Collection): Promise<void> {
    const twice = stage.fault({ ...orderOf(name, from), times: 2 });
    expect(await stage.run(from)).toMatchObject({ status: 'finished' });
    expect(twice.hits).toBeGreaterThan(0);
    expect(await stage.stored(from)).toEqual(from.ids());
  }

  // @covers 4.fault-providers-stated
  // @covers transport.latency (latency, for long and then twice)
  // @covers transport.500 (http-500, for long and then twice)
  // @covers transport.502 (http-502, for long and then twice)
  // @covers transport.503 (http-503, for long and then twice)
  // @covers transport.504 (http-504, for long and then twice)
  // @covers transport.html-error (html-error-body, for long and then twice)
  // @covers transport.html-place-json (html-instead-of-json, for long and then twice)
  // @covers transport.reset-before-answer (connection-reset, for long and then twice)
  // @covers transport.reset-middle-body (reset-mid-body, for long and then twice)
  // @covers transport.truncated-json (truncated-json, for long and then twice)
  // @covers transport.invalid-json (invalid-json, for long and then twice)
  // @covers transport.empty-body (empty-body, for long and then twice)
  // @covers transport.stalled-stream (stalled-stream, for long and then twice)
  // @covers transport.content-length-too (content-length-too-long, for long and then twice)
  // @covers transport.content-length-too-short (content-length-too-short, for long and then twice)
  // @covers transport.broken-gzip (broken-gzip, for long and then twice)
  // @covers transport.redirect (redirect, for long and then twice)
  // @covers transport.redirects-without-end (redirect-loop, for long and then twice)
  test.each(TRANSPORT)('%s, for long and then twice', async (name, message) => {
    const { schedulers } = stage.server.product;
    const both = [stage.gmail, stage.github];
    if (name === 'stalled-stream') schedulers.idleTimeoutMs = 150;
    await Promise.all(both.map((from) => expectFailure(name, message, from)));
    // Long enough that a busy machine causes no idle timeout.
    if (name === 'stalled-stream') schedulers.idleTimeoutMs = 1500;
    await Promise.all(both.map((from) => expectRecovery(name, from)));
    schedulers.idleTimeoutMs = undefined;
  });
});

describe('payload', () => {
  const TEMPLATES = { gmail: 'messages-all', github: 'pulls-all' } as const;
  const any = expect.anything();
  const text = (part: string) => expect.stringContaining(part);

  /** The expected content of each odd message. */
  const MAIL: Record<MailOddity, object> = {
    'no-subject': { subject: '', text: 'There is no subject.', from: { address: 'a@sandbox.example' } },
    'no-headers': { subject: '', text: text('Nothing but a body.'), headers: [] },
    'no-body': { subject: 'No body', text: '' },
    'no-date': { subject: 'No date', date: text('20'), dateHeader: '' },
    'date-1970': { subject: 'The epoch', date: '1970-01-01T00:00:00.000Z' },
    'date-far-ahead': { subject: 'Far ahead', date: '2221-12-31T23:59:59.000Z' },
    'thousand-headers': {
      subject: 'A thousand headers',
      text: 'Many headers.',
      headers: expect.objectContaining({ length: 200 }),
    },
    'deep-nesting': { subject: 'Deep', text: text('At the bottom.') },
    'unknown-charset': { subject: 'Unknown charset', text: text('Gr') },
    'koi8-charset': { subject: 'koi8', text: 'Привет' },
    'raw-8bit-header': { subject: 'café grüße', text: 'Latin in the header.' },
    'right-to-left': { subject: 'مرحبا بالعالم – שלום עולם', text: text('טקסט מימין לשמאל') },
    emoji: { subject: '👩‍👩‍👧‍👦 🏳️‍🌈 🇵🇱 𝒳', text: '👍🏽 family: 👩‍👩‍👧‍👦' },
    nul: { subject: text('A NUL'), text: text('after') },
    'lone-surrogate': { subject: text('A'), text: 'Half a character.' },
    'hostile-html': { subject: '<script>alert(1)</script>', html: text('onerror'), text: '' },
    'duplicate-message-id': { subject: 'Twice', messageId: '<twice@sandbox.example>' },
    'bad-base64': { subject: 'Bad base64', text: 'Hello world' },
    'missing-boundary': { subject: 'No boundary', text: text('No part begins.') },
    'unclosed-boundary': { subject: 'Unclosed', text: text('The end never comes.') },
    'endless-line': { subject: 'One line', text: text('word word'), truncated: true, size: 1_000_060 },
    'megabytes-25': {
      subject: '25 MB',
      snippet: text('0123456789abcdef'),
      size: 26_202_098,
      // A part without a name counts as text, however large.
      attachments: [],
    },
  };

  /** The expected odd fields of each pull request. */
  const PULLS: Record<PullOddity, object> = {
    'null-head-repo': { head: { repo: null, user: any } },
    'null-head-user': { head: { repo: null, user: null, label: null } },
    'ghost-author': { user: { login: 'ghost' } },
    'null-author': { user: null },
    'null-body': { body: null },
    'crlf-body': { body: 'One\r\n\r\n- two\r\n- three\r\n' },
    'huge-body': { body: 'All of the log.\r\n'.repeat(3900) },
    // Characters that no database can store are replaced.
    'nul-body': { body: 'before\ufffdafter' },
    'lone-surrogate': { title: 'Half of \ufffd a character' },
    'right-to-left': { title: 'تحسين الأداء \u202egnp.exe', body: 'שלום' },
    emoji: { title: '👩‍👩‍👧‍👦 🏳️‍🌈 🇵🇱', body: '👍🏽' },
    'hostile-html': { title: '<img src=x onerror=alert(1)>', body: text('javascript:alert(3)') },
    'unknown-state': { state: 'queued' },
    'unknown-field': { merge_forecast: { likely: true, score: 0.93 } },
    'missing-fields': { title: any, user: any },
    'date-1970': { created_at: '1970-01-01T00:00:00Z' },
    'date-far-ahead': { updated_at: '2221-12-31T23:59:59Z' },
    'odd-date': { closed_at: 'yesterday' },
    'many-labels': { labels: expect.objectContaining({ length: 100 }) },
  };

  let mail: Collection;
  /** Ids or numbers of the odd records, by name. */
  const ids = new Map<string, string>();
  const rows = new Map<string, unknown>();

  async function readRows(from: Collection): Promise<Record<string, unknown>[]> {
    return (await allRows(stage.client, from.entity, TEMPLATES[from.api])) as Record<string, unknown>[];
  }

  beforeAll(async () => {
    mail = stage.label('Odd', 0);
    const { gmail, github } = stage.server.control;
    const { labelIds = '' } = mail.settings;
    for (const name of Object.keys(MAIL) as MailOddity[]) {
      const id = gmail.insertOddity(ADA, name);
      gmail.changeLabels(ADA, id, { add: [labelIds] });
      ids.set(`mail ${name}`, id);
    }
    for (const name of Object.keys(PULLS) as PullOddity[])
      ids.set(`pull ${name}`, String(github.insertOddity(REPOSITORY, name)));
    for (const from of [mail, stage.github]) {
      await stage.clear(from);
      expect(await stage.run(from)).toMatchObject({ status: 'finished', summary: { skipped: 0 } });
      for (const row of await readRows(from)) rows.set(String(row.number ?? row.id), row);
    }
  });
  // @covers payload.boundary-missing-closed payload.missing-subject-headers payload.odd-charsets
  // @covers payload.dates-1970-far
  // @covers payload.mail-25-mb (a message, megabytes-25: stored)
  // @covers payload.line-megabyte (a message, endless-line: stored)
  // @covers payload.1-000-headers (a message, thousand-headers: stored)
  // @covers payload.deep-mime-nesting (a message, deep-nesting: stored)
  // @covers payload.missing-body (a message, no-body: stored)
  // @covers payload.bad-base64-base64url (a message, bad-base64: stored)
  // @covers payload.right-left (a message, right-to-left: stored)
  // @covers payload.emoji (a message, emoji: stored)
  // @covers payload.nul (a message, nul: stored)
  // @covers payload.half-character (a message, lone-surrogate: stored)
  // @covers payload.hostile-html (a message, hostile-html: stored)
  // @covers payload.duplicate-message-id (a message, duplicate-message-id: stored)
  test.each(Object.entries(MAIL))('a message, %s: stored, as far as it can be read', (name, expected) =>
    expect(rows.get(ids.get(`mail ${name}`) ?? '')).toMatchObject(expected),
  );

  // @covers payload.ghost-author payload.dates-1970-far
  // @covers payload.fork-deleted-head (a pull request, null-head-repo: stored)
  // @covers payload.head-user-head (a pull request, null-head-user: stored)
  // @covers payload.body-null (a pull request, null-body: stored)
  // @covers payload.crlf-body (a pull request, crlf-body: stored)
  // @covers payload.long-body (a pull request, huge-body: stored)
  // @covers payload.unknown-enum (a pull request, unknown-state: stored)
  // @covers payload.unknown-field (a pull request, unknown-field: stored)
  // @covers payload.missing-fields (a pull request, missing-fields: stored)
  // @covers payload.hundred-labels (a pull request, many-labels: stored)
  // @covers payload.right-left (a pull request, right-to-left: stored)
  // @covers payload.emoji (a pull request, emoji: stored)
  // @covers payload.nul (a pull request, nul-body: stored)
  // @covers payload.half-character (a pull request, lone-surrogate: stored)
  // @covers payload.hostile-html (a pull request, hostile-html: stored)
  test.each(Object.entries(PULLS))('a pull request, %s: stored with all that GitHub gave', (name, expected) =>
    expect(rows.get(ids.get(`pull ${name}`) ?? '')).toMatchObject(expected),
  );

  // @covers payload.duplicate-message-id payload.dates-1970-far
  test('odd records are all there, once; the next run changes nothing; templates and queries still answer', async () => {
    for (const from of [mail, stage.github]) {
      expect(await stage.stored(from)).toEqual(from.ids());
      expect(await stage.run(from)).toMatchObject({
        status: 'finished',
        summary: { added: 0, updated: 0, removed: 0 },
      });
      const { provider, entity } = from;
      const templates = await stage.client.get<{ templateKey: string }[]>(
        `/api/integrations/entities/templates/${provider}/${entity}`,
      );
      expect(templates.length).toBeGreaterThan(3);
      for (const { templateKey } of templates)
        await stage.client.get(`/api/integrations/entities/aggregation/${entity}/${templateKey}`);
      const query = {
        entryCollection: entity,
        templateKey: TEMPLATES[from.api],
        jsonNataQuery: '{ "n": $count($) }',
      };
      expect(JSON.stringify(await stage.client.post('/api/data/query', query))).toContain(
        String(from.ids().length),
      );
    }
  });

  describe('an answer that is odd: the run finishes, and the record is stored with what can be read of it:', () => {
    const ODD: [FaultName, 'gmail' | 'github', object][] = [
      ['bad-base64url', 'gmail', { subject: 'A new message', text: any }],
      ['missing-body', 'gmail', { subject: 'A new message', text: '' }],
      ['missing-payload', 'gmail', { subject: '', text: '', snippet: text('put here by the sandbox') }],
      ['unknown-field', 'gmail', { subject: 'A new message', text: text('put here by the sandbox') }],
      ['unknown-field', 'github', { merge_forecast: { likely: true } }],
    ];

    // @covers payload.unknown-field payload.missing-body
    // @covers payload.bad-base64-base64url (bad-base64url in an answer of gmail)
    test.each(ODD)('%s in an answer of %s', async (name, api, expected) => {
      const from = api === 'gmail' ? mail : stage.github;
      const before = new Set(from.ids());
      from.insert();
      const [inserted = ''] = from.ids().filter((id) => !before.has(id));
      const odd = stage.fault({ name, match: { api }, times: UNTIL_REMOVED });
      expect(await stage.run(from)).toMatchObject({ status: 'finished', summary: { skipped: 0 } });
      expect(odd.hits).toBeGreaterThan(0);
      expect(await stage.stored(from)).toEqual(from.ids());
      const found = (await readRows(from)).find((row) => String(row.number ?? row.id) === inserted);
      expect(found).toMatchObject(expected);
    });
  });
});
