import { defineExamples } from './example.ts';
import { IDS, OK } from './objects.ts';

const ACCOUNT = {
  _id: IDS.user,
  name: 'Ada Nowak',
  email: 'ada@example.org',
  status: 'standard',
  isAdministrator: false,
  signInMethods: ['Google'],
  providers: ['Gmail', 'GitHub'],
  createdAt: '2026-03-01T08:00:00.000Z',
  lastSeenAt: '2026-11-25T10:00:00.000Z',
} as const;
const PARAMS = { id: IDS.user };
const limits = (cap: number, monthlyRuns: number, scopes: number) => ({ cap, monthlyRuns, scopes });

/** Examples of what administrators see and do. */
export const ADMIN_EXAMPLES = defineExamples({
  adminAccounts: { query: { search: 'ada', page: 1 }, response: { results: [ACCOUNT], count: 1 } },
  adminAccount: {
    params: PARAMS,
    response: {
      ...ACCOUNT,
      sessions: 2,
      tokens: 1,
      entities: [{ entity: 'gh-pulls', title: 'Pull Requests', records: 5000, bytes: 61_000_000 }],
      runs: [{ entity: 'gh-pulls', title: 'Pull Requests', used: 12, allowed: 50 }],
    },
  },
  adminChangePlan: { params: PARAMS, body: { plan: 'pro' }, response: OK },
  adminSetAdministrator: { params: PARAMS, body: { isAdministrator: true }, response: OK },
  adminSignOut: { params: PARAMS, response: OK },
  adminDeleteAccount: { params: PARAMS, body: { confirmation: ACCOUNT.email }, response: OK },
  adminPlans: {
    response: {
      source: 'product',
      accounts: { demo: 3, standard: 12, pro: 2 },
      entities: [
        {
          entity: 'gh-pulls',
          title: 'Pull Requests',
          provider: 'GitHub',
          limits: { demo: limits(10, 50, 1), standard: limits(500, 50, 100), pro: limits(5000, 300, 1000) },
        },
      ],
    },
  },
  adminHealth: {
    response: {
      checks: [{ state: 'ok', text: 'The database answers and can be written.' }],
      version: '0.2.0',
      node: '24.11.0',
      startedAt: '2026-11-25T06:00:00.000Z',
      database: { version: '18.4', bytes: 310_000_000 },
      disk: { free: 81_000_000_000, size: 120_000_000_000 },
      tables: [{ entity: 'gh-pulls', title: 'Pull Requests', bytes: 61_000_000 }],
      jobs: [{ queue: 'sync', waiting: 0, running: 1, failed: 0, oldestSeconds: 0 }],
    },
  },
  adminFindings: {
    response: {
      checkedAt: '2026-11-25T10:00:00.000Z',
      findings: [
        {
          state: 'warning',
          text: 'The disk of /data has 0.8 GB free.',
          advice: 'Free space there, or move the data folder: stop Datadeck, move it, set DATA_DIR.',
        },
      ],
    },
  },
  adminAudit: {
    query: { page: 1 },
    response: {
      results: [
        {
          _id: '41',
          at: '2026-11-25T10:00:00.000Z',
          actor: 'shell',
          by: null,
          action: 'plan-changed',
          account: { _id: IDS.user, name: ACCOUNT.name, email: ACCOUNT.email },
          detail: 'standard → pro',
        },
      ],
      count: 1,
    },
  },
});
