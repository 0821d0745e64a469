import type { Account, EntityAccount, Schedule, ScopeChoice, Setting, UserEntity } from '@datadeck/contract';
import type { Provider, Sync } from '../src/api/models.ts';

/** A finished sync of pull requests without changes. */
export const SYNC: Sync = {
  id: 's1',
  number: 1,
  providerId: 'github',
  entityLabel: 'gh-pulls',
  account: 'ada',
  status: 'finished',
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  summary: {},
  entitySettings: {},
  progress: null,
  isLast: false,
};

/** A provider that is not connected. */
export const PROVIDER: Provider = {
  id: 'github',
  key: 'github',
  title: 'GitHub',
  description: 'Pull requests.',
  entities: [{ id: 'gh-pulls', title: 'Pull requests' }],
  isConnected: false,
  connection: null,
  accounts: [],
};

/** A connected account without a name of its own. */
export const ACCOUNT: Account = {
  status: 'connected',
  account: 'ada',
  title: '',
  connectedAt: '2026-11-01T00:00:00.000Z',
  method: 'consent',
  access: '',
  expiresAt: null,
  isShown: true,
  signsIn: false,
};

/** Messages of Gmail without settings, without an account. */
export const ENTITY: UserEntity = {
  id: 'gmail-messages',
  title: 'Messages',
  description: '',
  providerId: 'google',
  dependsOn: [],
  multi: true,
  isMail: true,
  settings: [],
  usage: { used: 0, allowed: 50, resetsAt: '2026-12-01T00:00:00.000Z' },
  cap: 500,
  lastSettings: null,
  accounts: [],
  unconverted: 0,
};

/** The state of an entity in a connected account that has not been synced. */
export const ENTITY_ACCOUNT: EntityAccount = {
  account: 'ada',
  title: '',
  status: 'connected',
  isDefault: true,
  lastSettings: null,
  source: null,
  records: 0,
};

/** A required setting without a pattern. */
export const SETTING: Setting = {
  id: 's',
  propKey: 'labelIds',
  label: 'Label IDs',
  type: 'text',
  required: true,
  disabled: false,
  isChecked: false,
  defaultValue: '',
  pattern: '',
  placeholder: '',
  errorText: '',
  tip: '',
};

/** A public repository of which nothing is stored. */
export const SCOPE_CHOICE: ScopeChoice = {
  name: 'octo/hello',
  title: 'octo/hello',
  group: 'octo',
  isPrivate: false,
  isFork: false,
  isArchived: false,
  isTrash: false,
  count: null,
  changedAt: null,
  stored: 0,
};

/** A daily schedule of pull requests. */
export const SCHEDULE: Schedule = {
  _id: 'd',
  cron: null,
  timeZone: 'UTC',
  nextTimes: ['2026-11-22T10:05:00.000Z'],
  runsPerMonth: 30,
  providerId: 'github',
  entityLabel: 'gh-pulls',
  account: 'ada',
  every: 'daily',
  entitySettings: {},
  nextAt: '2026-11-22T10:05:00.000Z',
  blockedReason: null,
};
