import { defineExamples } from './example.ts';
import { IDS, OK } from './objects.ts';
import { PASSKEY_EXAMPLES } from './passkey-examples.ts';

const SESSION = 'q2n5…';
const PROFILE = {
  _id: IDS.user,
  name: 'Ada Nowak',
  email: 'ada@example.org',
  status: 'pro',
  signInProvider: 'google',
  timeZone: 'Europe/Berlin',
} as const;
const TOKEN = {
  _id: IDS.token,
  name: 'Backup script',
  scope: 'read',
  viewId: null,
  boardId: null,
  parameters: null,
  rowBudget: null,
  rowsUsed: 0,
  hasPassword: false,
  frameAncestors: [],
  createdAt: '2026-11-25T08:00:00.000Z',
  expiresAt: '2027-02-23T08:00:00.000Z',
  lastUsedAt: null,
} as const;

/** Examples of accounts, sign-in and tokens. */
export const ACCOUNT_EXAMPLES = defineExamples({
  product: {
    response: {
      signInProviders: [{ identifier: 'google', title: 'Google' }],
      sandbox: false,
      demo: true,
      passkeys: true,
      sharing: true,
      version: '0.2.0',
    },
  },
  demoLogin: { response: { token: SESSION } },
  signInPreview: { response: { name: PROFILE.name, email: PROFILE.email, beganHere: true } },
  signIn: { response: { token: SESSION } },
  logout: { response: OK },
  profile: { response: PROFILE },
  updateProfile: { body: { timeZone: PROFILE.timeZone }, response: OK },
  diskUse: {
    response: {
      entities: [{ entity: 'gh-pulls', title: 'Pull Requests', records: 5000, bytes: 61_000_000 }],
      isDiskLow: false,
    },
  },
  deleteAccount: { response: OK },
  deleteAllData: { response: OK },
  signInMethods: {
    response: [
      {
        _id: IDS.method,
        provider: 'google',
        title: 'Google',
        email: PROFILE.email,
        createdAt: '2026-03-01T08:00:00.000Z',
      },
    ],
  },
  addSignInMethod: {
    params: { provider: 'google' },
    response: { url: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=…' },
  },
  removeSignInMethod: { params: { id: IDS.method }, response: OK },
  ...PASSKEY_EXAMPLES,
  tokens: { response: [TOKEN] },
  createToken: {
    body: { name: TOKEN.name, scope: 'read', expiresInDays: 90 },
    response: { ...TOKEN, token: 'ddt_0b1f6a527c1d4c559a3e5f2f8f1f0a01…', sharePath: null },
  },
  revokeToken: { params: { id: IDS.token }, response: OK },
  tokenUses: {
    query: { page: 1 },
    response: {
      results: [
        {
          at: '2026-11-25T10:00:00.000Z',
          tokenId: IDS.token,
          name: TOKEN.name,
          method: 'GET',
          path: '/api/data/views/aggregate/{viewId}',
          status: 200,
          times: 1,
        },
      ],
      count: 1,
    },
  },
});
