import type { FaultName, FaultSpec, MailOddity, PullOddity } from '@datadeck/test-sandbox';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

describe('a sync that the provider limits or refuses', () => {
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

  // @covers limits.gmail-403-userratelimitexceeded (handles gmail-user-rate-limit by waiting 0.2 to 0.6 s)
  // @covers limits.gmail-403-ratelimitexceeded (handles gmail-rate-limit by waiting 0.2 to 0.6 s)
  // @covers limits.gmail-429-too (handles gmail-too-many-concurrent by waiting 0.2 to 0.6 s)
  // @covers limits.gmail-429-retry (handles gmail-too-many-requests by waiting 1 to 2 s)
  // @covers limits.github-primary-limit (handles github-primary-limit by waiting 1 to 4 s)
  // @covers limits.github-primary-limit-retry (handles github-primary-limit-retry-after by waiting 1 to 2 s)
  // @covers limits.github-secondary-limit (handles github-secondary-limit by waiting 1 to 2 s)
  // @covers limits.github-secondary-limit-retry (handles github-secondary-limit-429 by waiting 1 to 2 s)
  // @covers limits.github-secondary-limit-without (handles github-secondary-limit-bare by waiting 60 to 61 s)
  // @covers limits.reset-past (handles github-reset-in-past by waiting 1 to 2 s)
  it.each<[FaultName, number, number]>([
    ['gmail-user-rate-limit', 0.2, 0.6],
    ['gmail-rate-limit', 0.2, 0.6],
    ['gmail-too-many-concurrent', 0.2, 0.6],
    ['gmail-too-many-requests', 1, 2],
  ])('handles %s by waiting %d to %d s', async (name, least, most) => {
    const waits = await waitOf(stage.gmail, { name });
    expect(waits).toBeGreaterThanOrEqual(least);
    expect(waits).toBeLessThanOrEqual(most);
  });

  it.each<[FaultName, number, number]>([
    ['github-primary-limit', 1, 4],
    ['github-primary-limit-retry-after', 1, 2],
    ['github-reset-in-past', 1, 2],
    ['github-secondary-limit', 1, 2],
    ['github-secondary-limit-429', 1, 2],
    ['github-secondary-limit-bare', 60, 61],
  ])('handles %s by waiting %d to %d s', async (name, least, most) => {
    const waits = await waitOf(stage.github, { name });
    expect(waits).toBeGreaterThanOrEqual(least);
    expect(waits).toBeLessThanOrEqual(most);
  });

  // @covers limits.clocks-differ-hours
  it.each([-7200, 7200])('waits as long and misses no change with a clock skew of %d s', async (seconds) => {
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
  });

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

  // @covers limits.gmail-403-userratelimitexceeded (pauses on a lasting gmail-user-rate-limit of gmail for 60 s, shows it, then finishes)
  // @covers limits.gmail-403-ratelimitexceeded (pauses on a lasting gmail-rate-limit of gmail for 60 s, shows it, then finishes)
  // @covers limits.gmail-403-dailylimitexceeded (pauses on a lasting gmail-daily-limit of gmail for 3600 s, shows it, then finishes)
  // @covers limits.gmail-429-too (pauses on a lasting gmail-too-many-concurrent of gmail for 60 s, shows it, then finishes)
  // @covers limits.gmail-429-retry (pauses on a lasting gmail-too-many-requests of gmail for 60 s, shows it, then finishes)
  // @covers limits.github-primary-limit (pauses on a lasting github-primary-limit of github for 3000 s, shows it, then finishes)
  // @covers limits.github-secondary-limit (pauses on a lasting github-secondary-limit of github for 3000 s, shows it, then finishes)
  // @covers limits.github-secondary-limit-retry (pauses on a lasting github-secondary-limit-429 of github for 3000 s, shows it, then finishes)
  // @covers limits.github-secondary-limit-without (pauses on a lasting github-secondary-limit-bare of github for 60 s, shows it, then finishes)
  // @covers limits.reset-past (pauses on a lasting github-reset-in-past of github for 60 s, shows it, then finishes)
  it.each<[FaultName, 'gmail' | 'github', number]>([
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
  ])('pauses on a lasting %s of %s for %d s, shows it, then finishes', async (name, which, seconds) => {
    const from = stage[which];
    await stage.clear(from);
    const options = name === 'github-reset-in-past' || seconds === 60 ? {} : { options: { seconds } };
    stage.fault({ name, match: { api: from.api }, times: UNTIL_REMOVED, ...options });

    stage.server.control.resetCounters();
    const { _id } = await stage.start(from);
    const pausedUntil = await awaitPause(_id);
    const ahead = (pausedUntil.getTime() - stage.clock.now()) / 1000;
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
    const requests = Object.entries(stage.server.control.counters().requests);
    const ofProvider = requests.filter(([name]) => name.startsWith(`${from.api} `));
    expect(summary.requests).toBe(ofProvider.reduce((sum, [, count]) => sum + count, 0));
    expect(summary.waits).toBeGreaterThanOrEqual(seconds);
  });

  // @covers limits.parts-batch-refused
  it('sends no batch of which Gmail could refuse parts (batch-part-refused)', async () => {
    await stage.clear(stage.gmail);
    const refused = stage.fault({ name: 'batch-part-refused', times: UNTIL_REMOVED });
    expect(await stage.run(stage.gmail)).toMatchObject({ status: 'finished' });
    expect(await stage.stored(stage.gmail)).toEqual(stage.gmail.ids());
    expect(refused.seen).toBe(0);
  });

  // @covers authorisation.scope-missing-gmail
  it('fails on insufficient-scope at Gmail until the user connects again', async () => {
    const { gmail } = stage;
    await stage.clear(gmail);
    const missingScope = stage.fault({
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

    missingScope.remove();
    expect(await stage.reconnect(gmail)).toBe('google');
    expect(await stage.run(gmail)).toMatchObject({ status: 'finished' });
    expect(await stage.stored(gmail)).toEqual(gmail.ids());
  });

  // @covers authorisation.github-does-allow (fails on insufficient-scope at GitHub, but keeps the connection and the records)
  // @covers authorisation.organization-asks-single (fails on sso-required at GitHub, but keeps the connection and the records)
  // @covers authorisation.repository-blocked-451 (fails on access-blocked at GitHub, but keeps the connection and the records)
  it.each<[FaultName, RegExp]>([
    ['insufficient-scope', /does not allow access to this repository. Allow it for this app on GitHub/],
    ['sso-required', /requires single sign-on: allow this app there/],
    ['access-blocked', /blocked this repository for legal reasons/],
  ])('fails on %s at GitHub, but keeps the connection and the records', async (name, message) => {
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
  });
});

describe('a sync with transport faults', () => {
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

  const faultOf = (name: FaultName, { api }: Collection) => ({
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
    const lasting = stage.fault({ ...faultOf(name, from), times: UNTIL_REMOVED });
    const ended = await stage.run(from);
    lasting.remove();
    expect(ended.status).toBe(message ? 'failed' : 'finished');
    if (message) expect(ended.summary.errMessage).toMatch(message);
    expect(await stage.stored(from)).toEqual(message ? before : from.ids());
    expect(await stage.connection(from)).toBe('connected');
  }

  /** With a fault that occurs twice, the run succeeds and stores everything. */
  async function expectRecovery(name: FaultName, from: Collection): Promise<void> {
    const twice = stage.fault({ ...faultOf(name, from), times: 2 });
    expect(await stage.run(from)).toMatchObject({ status: 'finished' });
    expect(twice.hits).toBeGreaterThan(0);
    expect(await stage.stored(from)).toEqual(from.ids());
  }

  // @covers transport.latency (keeps stored records on a lasting latency, and recovers from a short one)
  // @covers transport.500 (keeps stored records on a lasting http-500, and recovers from a short one)
  // @covers transport.502 (keeps stored records on a lasting http-502, and recovers from a short one)
  // @covers transport.503 (keeps stored records on a lasting http-503, and recovers from a short one)
  // @covers transport.504 (keeps stored records on a lasting http-504, and recovers from a short one)
  // @covers transport.html-error (keeps stored records on a lasting html-error-body, and recovers from a short one)
  // @covers transport.html-place-json (keeps stored records on a lasting html-instead-of-json, and recovers from a short one)
  // @covers transport.reset-before-answer (keeps stored records on a lasting connection-reset, and recovers from a short one)
  // @covers transport.reset-middle-body (keeps stored records on a lasting reset-mid-body, and recovers from a short one)
  // @covers transport.truncated-json (keeps stored records on a lasting truncated-json, and recovers from a short one)
  // @covers transport.invalid-json (keeps stored records on a lasting invalid-json, and recovers from a short one)
  // @covers transport.empty-body (keeps stored records on a lasting empty-body, and recovers from a short one)
  // @covers transport.stalled-stream (keeps stored records on a lasting stalled-stream, and recovers from a short one)
  // @covers transport.content-length-too (keeps stored records on a lasting content-length-too-long, and recovers from a short one)
  // @covers transport.content-length-too-short (keeps stored records on a lasting content-length-too-short, and recovers from a short one)
  // @covers transport.broken-gzip (keeps stored records on a lasting broken-gzip, and recovers from a short one)
  // @covers transport.redirect (keeps stored records on a lasting redirect, and recovers from a short one)
  // @covers transport.redirects-without-end (keeps stored records on a lasting redirect-loop, and recovers from a short one)
  it.each(TRANSPORT)(
    'keeps stored records on a lasting %s, and recovers from a short one',
    async (name, message) => {
      const { schedulers } = stage.server.product;
      const both = [stage.gmail, stage.github];
      if (name === 'stalled-stream') schedulers.idleTimeoutMs = 150;
      await Promise.all(both.map((from) => expectFailure(name, message, from)));
      // Long enough that a busy machine causes no idle timeout.
      if (name === 'stalled-stream') schedulers.idleTimeoutMs = 1500;
      await Promise.all(both.map((from) => expectRecovery(name, from)));
      schedulers.idleTimeoutMs = undefined;
    },
  );
});

describe('a sync of odd records', () => {
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
      // Gmail returns so large a text on its own.
      text: text('0123456789abcdef'),
      truncated: true,
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
  // @covers payload.mail-25-mb (stores what is readable of a message: megabytes-25)
  // @covers payload.line-megabyte (stores what is readable of a message: endless-line)
  // @covers payload.1-000-headers (stores what is readable of a message: thousand-headers)
  // @covers payload.deep-mime-nesting (stores what is readable of a message: deep-nesting)
  // @covers payload.missing-body (stores what is readable of a message: no-body)
  // @covers payload.bad-base64-base64url (stores what is readable of a message: bad-base64)
  // @covers payload.right-left (stores what is readable of a message: right-to-left)
  // @covers payload.emoji (stores what is readable of a message: emoji)
  // @covers payload.nul (stores what is readable of a message: nul)
  // @covers payload.half-character (stores what is readable of a message: lone-surrogate)
  // @covers payload.hostile-html (stores what is readable of a message: hostile-html)
  // @covers payload.duplicate-message-id (stores what is readable of a message: duplicate-message-id)
  it.each(Object.entries(MAIL))('stores what is readable of a message: %s', (name, expected) =>
    expect(rows.get(ids.get(`mail ${name}`) ?? '')).toMatchObject(expected),
  );

  // @covers payload.ghost-author payload.dates-1970-far
  // @covers payload.fork-deleted-head (stores the odd values of a pull request: null-head-repo)
  // @covers payload.head-user-head (stores the odd values of a pull request: null-head-user)
  // @covers payload.body-null (stores the odd values of a pull request: null-body)
  // @covers payload.crlf-body (stores the odd values of a pull request: crlf-body)
  // @covers payload.long-body (stores the odd values of a pull request: huge-body)
  // @covers payload.unknown-enum (stores the odd values of a pull request: unknown-state)
  // @covers payload.unknown-field (stores the odd values of a pull request: unknown-field)
  // @covers payload.missing-fields (stores the odd values of a pull request: missing-fields)
  // @covers payload.hundred-labels (stores the odd values of a pull request: many-labels)
  // @covers payload.right-left (stores the odd values of a pull request: right-to-left)
  // @covers payload.emoji (stores the odd values of a pull request: emoji)
  // @covers payload.nul (stores the odd values of a pull request: nul-body)
  // @covers payload.half-character (stores the odd values of a pull request: lone-surrogate)
  // @covers payload.hostile-html (stores the odd values of a pull request: hostile-html)
  it.each(Object.entries(PULLS))('stores the odd values of a pull request: %s', (name, expected) =>
    expect(rows.get(ids.get(`pull ${name}`) ?? '')).toMatchObject(expected),
  );

  // @covers payload.duplicate-message-id payload.dates-1970-far
  it('stores each odd record once, and templates and queries still work', async () => {
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

  describe('with an odd response', () => {
    const ODD: [FaultName, 'gmail' | 'github', object][] = [
      ['bad-base64url', 'gmail', { subject: 'A new message', text: any }],
      ['missing-body', 'gmail', { subject: 'A new message', text: '' }],
      ['missing-payload', 'gmail', { subject: '', text: '', snippet: text('put here by the sandbox') }],
      ['unknown-field', 'gmail', { subject: 'A new message', text: text('put here by the sandbox') }],
      ['unknown-field', 'github', { merge_forecast: { likely: true } }],
    ];

    // @covers payload.unknown-field payload.missing-body
    // @covers payload.bad-base64-base64url (finishes despite bad-base64url in a response of gmail and stores what is readable)
    it.each(ODD)(
      'finishes despite %s in a response of %s and stores what is readable',
      async (name, api, expected) => {
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
      },
    );
  });
});
