import { defineExamples } from './example.ts';
import { IDS, OK, PULL, SETTINGS, STARTED_SYNC, SYNC } from './objects.ts';

const PULLS = { providerId: 'github', entityLabel: 'gh-pulls' } as const;
const TIMES = { cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin' } as const;
const TIMETABLE = {
  nextTimes: ['2026-11-26T08:00:00.000Z', '2026-11-27T08:00:00.000Z', '2026-11-30T08:00:00.000Z'],
  runsPerMonth: 23,
};
const SCHEDULE = {
  ...PULLS,
  ...TIMES,
  ...TIMETABLE,
  _id: IDS.schedule,
  account: 'octocat',
  every: 'cron',
  entitySettings: SETTINGS,
  nextAt: '2026-11-26T08:00:00.000Z',
  blockedReason: null,
} as const;
const DAILY_SCHEDULE = {
  ...SCHEDULE,
  every: 'daily',
  cron: null,
  timeZone: 'UTC',
  nextTimes: ['2026-11-26T08:00:00.000Z', '2026-11-27T08:00:00.000Z', '2026-11-28T08:00:00.000Z'],
  runsPerMonth: 30,
} as const;
const RECORD = { record: PULL.id };

/** Examples of providers, syncs and what they change. */
export const SYNC_EXAMPLES = defineExamples({
  providers: {
    response: [
      {
        _id: 'github',
        key: 'github',
        title: 'GitHub',
        description: 'Pull requests of repositories',
        entities: [{ id: 'gh-pulls', title: 'Pull Requests' }],
        isBlocked: true,
        connection: {
          status: 'connected',
          account: 'octocat',
          connectedAt: '2026-03-01T08:00:00.000Z',
          method: 'consent',
          access: 'Public repositories',
          expiresAt: null,
        },
        accounts: [
          {
            status: 'connected',
            account: 'octocat',
            connectedAt: '2026-03-01T08:00:00.000Z',
            method: 'consent',
            access: 'Public repositories',
            expiresAt: null,
            title: 'Work',
            isShown: true,
            signsIn: false,
          },
        ],
      },
    ],
  },
  connect: {
    params: { provider: 'imap' },
    body: { values: { host: 'imap.example.org', user: 'ada', password: '…' } },
    response: { ok: true, account: 'ada@imap.example.org', isKnown: false },
  },
  nameAccount: { params: { provider: 'github' }, body: { account: 'octocat', title: 'Work' }, response: OK },
  disconnect: { query: { provider: 'github' }, response: OK },
  deleteProviderData: { query: { provider: 'github' }, response: OK },
  entities: {
    response: [
      {
        id: 'gh-pulls',
        title: 'Pull Requests',
        description: '<p>Pull requests of one repository.</p>',
        providerId: 'github',
        dependsOn: [],
        multi: false,
        isMail: false,
        settings: [
          {
            id: 'gh-pulls-owner',
            propKey: 'owner',
            label: 'Owner',
            type: 'text',
            required: true,
            disabled: false,
            isChecked: false,
            defaultValue: '',
            pattern: '[A-Za-z0-9-]{1,39}',
            placeholder: 'octocat',
            errorText: 'Must be a user or an organisation',
            tip: 'The part before the slash',
          },
        ],
        usage: { used: 12, allowed: 300, resetsAt: '2026-12-01T00:00:00.000Z' },
        cap: 5000,
        lastSettings: SETTINGS,
        accounts: [
          {
            account: 'octocat',
            title: 'Work',
            status: 'connected',
            isDefault: true,
            lastSettings: SETTINGS,
            source: { scopes: ['octo-org/*'], since: null },
            records: 412,
          },
        ],
        unconverted: 0,
      },
    ],
  },
  syncs: { query: { providers: 'github,google', page: 1 }, response: [SYNC] },
  startSync: { body: { ...PULLS, entitySettings: SETTINGS }, response: STARTED_SYNC },
  startAllSyncs: {
    response: {
      started: [STARTED_SYNC],
      skipped: [
        {
          providerId: 'google',
          entityLabel: 'gmail-messages',
          account: 'ada@example.org',
          message: 'A sync of this entity is already running. Wait for it, or cancel it.',
        },
      ],
    },
  },
  scopeChoices: {
    params: PULLS,
    query: { account: 'octocat', search: 'octo', page: 1 },
    response: {
      results: [
        {
          name: 'octo-org/octo-repo',
          title: 'octo-org/octo-repo',
          group: 'octo-org',
          isPrivate: false,
          isFork: false,
          isArchived: false,
          isTrash: false,
          count: null,
          changedAt: '2026-11-24T16:20:00.000Z',
          stored: 412,
        },
      ],
      count: 1,
      patterns: [{ pattern: 'octo-org/*', title: 'All repositories of octo-org', count: 1 }],
      isLimited: false,
    },
  },
  saveSource: {
    params: PULLS,
    body: { account: 'octocat', scopes: ['octo-org/*'], since: '2026-01-01' },
    response: OK,
  },
  syncScopes: {
    params: { id: IDS.sync },
    query: { page: 1 },
    response: {
      results: [{ name: 'octo-org/octo-repo', status: 'finished', message: null, summary: { added: 20 } }],
      count: 1,
    },
  },
  planSync: {
    body: { ...PULLS, entitySettings: SETTINGS },
    response: {
      incremental: false,
      total: 412,
      records: 412,
      requests: 6,
      units: 6,
      unitsPerMinute: 900,
      seconds: 3,
      cap: 5000,
      waitUntil: null,
    },
  },
  verifySync: {
    params: { id: IDS.sync },
    response: { checkedAt: '2026-11-25T09:00:00.000Z', provider: 412, stored: 411, missing: 1, gone: 0 },
  },
  deleteSync: { params: { id: IDS.sync }, response: OK },
  cancelSync: {
    params: { id: IDS.sync },
    response: { ...SYNC, status: 'failed', failure: 'cancelled', summary: { errMessage: 'Cancelled' } },
  },
  syncHistory: {
    query: { provider: 'github', entity: 'gh-pulls', status: 'finished', page: 1 },
    response: { results: [SYNC], count: 1 },
  },
  syncDays: {
    query: { provider: 'github', timeZone: 'Europe/Berlin' },
    response: [
      { day: '2026-11-26', finished: 3, failed: 1, started: 0 },
      { day: '2026-11-27', finished: 2, failed: 0, started: 1 },
    ],
  },
  syncNews: {
    query: { from: '2026-11-26T00:00:00.000Z' },
    response: [
      {
        providerId: 'github',
        entityLabel: 'gh-pulls',
        account: 'octocat',
        runs: 3,
        added: 12,
        updated: 4,
        removed: 0,
      },
    ],
  },
  schedules: { response: [SCHEDULE] },
  saveSchedule: {
    params: PULLS,
    body: { every: 'daily', entitySettings: SETTINGS },
    response: DAILY_SCHEDULE,
  },
  createSchedule: { body: { ...PULLS, ...TIMES, entitySettings: SETTINGS }, response: SCHEDULE },
  updateSchedule: {
    params: { id: IDS.schedule },
    body: { ...TIMES, entitySettings: SETTINGS },
    response: SCHEDULE,
  },
  deleteSchedule: { params: { id: IDS.schedule }, response: OK },
  timetable: { query: TIMES, response: TIMETABLE },
  syncChanges: {
    params: { id: IDS.sync },
    query: { kind: 'updated', page: 1 },
    response: {
      results: [{ recordId: PULL.id, title: PULL.title, kind: 'updated' }],
      count: 3,
      counts: { added: 20, updated: 3, removed: 1 },
      isKept: true,
    },
  },
  recordChange: {
    params: { id: IDS.sync },
    query: RECORD,
    response: { kind: 'updated', before: PULL, after: { ...PULL, state: 'closed' } },
  },
  recordVersions: {
    params: PULLS,
    query: RECORD,
    response: {
      title: PULL.title,
      results: [{ kind: 'updated', sync: { _id: IDS.sync, number: 12, at: '2026-11-25T08:00:12.000Z' } }],
    },
  },
  events: {
    stream: {
      type: 'text/event-stream',
      text: `data: ${JSON.stringify({ type: 'sync', sync: STARTED_SYNC })}\n\n`,
    },
  },
});
