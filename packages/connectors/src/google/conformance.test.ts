import {
  FAULTS,
  MAIL_ODDITIES,
  type MailOddity,
  type StartedSandbox,
  startSandbox,
} from '@datadeck/test-sandbox';
import {
  type ConformanceSubject,
  describeConnector,
  type StandIn,
} from '../../test-support/conformance/index.ts';
import { authorize } from '../../test-support/consent.ts';
import type { Credentials } from '../sdk/index.ts';
import { googleConnector } from './index.ts';

const MAILBOX = 'ada.nowak@sandbox.example';
/** Ten concurrent requests must fit the sandbox's scaled limit, including responses that are not yet closed. */
const METERED = { quotaScale: 0.3, quotaTimeScale: 20 };
const UNITS_PER_MINUTE = 1800;

type SandboxOptions = Parameters<typeof startSandbox>[0];
type Lister = (sandbox: StartedSandbox, credentials: Credentials) => Promise<string[]>;

async function ask<T>(sandbox: StartedSandbox, credentials: Credentials, path: string): Promise<T> {
  const headers = { authorization: `Bearer ${credentials.accessToken}` };
  const response = await fetch(`${sandbox.urls().gmailApiUrl}/gmail/v1/users/me/${path}`, { headers });
  return (await response.json()) as T;
}

const listInbox: Lister = async (sandbox, credentials) => {
  const ids: string[] = [];
  for (let token: string | undefined = ''; token !== undefined; ) {
    const path: string = `messages?labelIds=INBOX&maxResults=77&pageToken=${token}`;
    const page: { messages?: { id: string }[]; nextPageToken?: string } = await ask(
      sandbox,
      credentials,
      path.replace(/&pageToken=$/, ''),
    );
    ids.push(...(page.messages ?? []).map(({ id }) => id));
    token = page.nextPageToken;
  }
  return ids;
};

const listLabels: Lister = async (sandbox, credentials) => {
  const { labels } = await ask<{ labels: { id: string; type: string }[] }>(sandbox, credentials, 'labels');
  // The person's own come first.
  return ['user', 'system'].flatMap((kind) => labels.flatMap(({ id, type }) => (type === kind ? [id] : [])));
};

function starter(list: Lister, options: SandboxOptions, unitsPerMinute: number) {
  return async (): Promise<StandIn> => {
    const sandbox = await startSandbox(options);
    const { control } = sandbox;
    const { googleIssuer, gmailApiUrl } = sandbox.urls();
    const connector = googleConnector({
      issuer: googleIssuer,
      apiUrl: gmailApiUrl,
      client: sandbox.clients.google,
      unitsPerMinute,
    });
    const { credentials } = await authorize(connector.authorization, { account: MAILBOX });
    let isChanged = true;
    const changing = <T>(outcome: T) => {
      isChanged = true;
      return outcome;
    };
    const standIn: StandIn = {
      connector,
      credentials,
      reset() {
        // Refilling the mailbox is slow, so do it only after a change.
        if (isChanged) control.reset();
        isChanged = false;
        control.clearFaults();
        control.resetCounters();
      },
      close: () => sandbox.close(),
      listIds: () => list(sandbox, standIn.credentials),
      inject: ({ name, location, ...order }) => {
        const entry = FAULTS.find((fault) => fault.name === name);
        if (!entry) throw new Error(`no fault ${name}`);
        control.fault({
          ...order,
          name: entry.name,
          match: { api: 'gmail' },
          ...(location ? { options: { location } } : {}),
        });
      },
      expireTokens: () => changing(control.google.expireAccessTokens()),
      mostInFlight: () => control.counters().mostInFlight.gmail ?? 0,
      spending() {
        const { units, statuses } = control.counters();
        const refused = (statuses['gmail 403'] ?? 0) + (statuses['gmail 429'] ?? 0);
        return { units: units[`gmail ${MAILBOX}`] ?? 0, refused };
      },
      changes: {
        insert: () => changing(control.gmail.insert(MAILBOX)),
        update: (id) => changing(control.gmail.changeLabels(MAILBOX, id, { add: ['STARRED'] })),
        remove: (id) => changing(control.gmail.remove(MAILBOX, id)),
        expireCursor: () => changing(control.gmail.expireHistory(MAILBOX)),
      },
      insertOddity: (name) => changing(control.gmail.insertOddity(MAILBOX, name as MailOddity)),
    };
    standIn.reset();
    return standIn;
  };
}

const everywhere = FAULTS.filter((fault) => fault.apis.length === 5).map((fault) => fault.name);
const common = {
  survives: [...everywhere, 'token-expired', 'clock-skew', 'unknown-field'],
  waitsFor: [
    'gmail-user-rate-limit',
    'gmail-rate-limit',
    'gmail-too-many-concurrent',
    'gmail-too-many-requests',
  ],
  endsIn: {
    'gmail-daily-limit': 'rate-limited',
    'gmail-user-rate-limit': 'rate-limited',
    'insufficient-scope': 'reauthorise',
    'http-500': 'unavailable',
    'http-503': 'unavailable',
    'html-error-body': 'unavailable',
    'html-instead-of-json': 'unavailable',
    'connection-reset': 'unavailable',
    'truncated-json': 'unavailable',
    'empty-body': 'unavailable',
    'stalled-stream': 'unavailable',
    'broken-gzip': 'unavailable',
    'redirect-loop': 'malformed',
  },
} as const satisfies Partial<ConformanceSubject>;

describeConnector({
  ...common,
  name: 'gmail-labels',
  entity: 'gmail-labels',
  settings: {},
  isIncremental: false,
  start: starter(listLabels, { quotaScale: 0 }, Number.POSITIVE_INFINITY),
  oddities: [],
});

describeConnector({
  ...common,
  name: 'gmail-messages',
  entity: 'gmail-messages',
  settings: { labelIds: 'INBOX' },
  isIncremental: true,
  sinceTimeOf: ({ columns }) => Number(columns.received_at),
  start: starter(listInbox, { quotaScale: 0 }, Number.POSITIVE_INFINITY),
  startMetered: starter(listInbox, METERED, UNITS_PER_MINUTE),
  survives: [...common.survives, 'empty-page-with-next', 'bad-base64url', 'missing-body', 'missing-payload'],
  oddities: MAIL_ODDITIES,
});
