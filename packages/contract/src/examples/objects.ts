/** Objects that several examples contain. */
export const IDS = {
  user: '0b1f6a52-7c1d-4c55-9a3e-5f2f8f1f0a01',
  sync: '6d0c2d0e-3c5e-4a59-8f0d-0d2a3b9c7e10',
  query: '9a7d1c1e-51c8-4b7c-8a58-6a1f1b0e2d33',
  view: '2f4c8e9a-0d7b-4f8e-9d55-1c9e7a6b5d42',
  category: 'c1b7e2a4-6f3d-4e1a-8b9c-7d5e3f2a1b50',
  board: 'd2e4f6a8-0b1c-4d3e-9f5a-7b9c1d3e5f70',
  alert: '7e5d3c1b-9a8f-4d2e-b6c4-3a1f5e7d9b60',
  delivery: 'd4e6f8a0-2b4c-4e6d-8f0a-1c3e5d7f9b71',
  notification: 'e5f7a9b1-3c5d-4f7e-9a1b-2d4f6e8a0c82',
  method: 'f6a8b0c2-4d6e-4a8f-8b2c-3e5a7f9b1d93',
  schedule: 'b8c0d2e4-6f8a-4c0b-8d4e-5a7c9b1d3fb5',
  passkey: 'c9d1e3f5-7a9b-4c1d-8e5f-6b8d0a2c4ec6',
  token: 'a7b9c1d3-5e7f-4b9a-9c3d-4f6b8a0c2ea4',
} as const;

export const SETTINGS = { owner: 'aurora-labs', repo: 'harbor' };

export const OK = { ok: true } as const;

export const SYNC = {
  _id: IDS.sync,
  number: 12,
  providerId: 'github',
  entityLabel: 'gh-pulls',
  account: 'octocat',
  status: 'finished',
  created_at: '2026-11-25T08:00:00.000Z',
  updated_at: '2026-11-25T08:00:12.000Z',
  summary: {
    entitiesSynced: 412,
    timeElapsed: 12.3,
    added: 20,
    updated: 3,
    removed: 1,
    unchanged: 388,
    skipped: 0,
    requests: 8,
    units: 8,
    waits: 0,
    total: 412,
    cap: 5000,
    incremental: true,
  },
  entitySettings: SETTINGS,
  progress: null,
  isLast: true,
} as const;

export const STARTED_SYNC = {
  ...SYNC,
  status: 'started',
  updated_at: '2026-11-25T08:00:02.000Z',
  summary: {},
  progress: { phase: 'fetching', records: 200, total: 412, rate: 95.5, retryAt: null },
  isLast: false,
} as const;

export const QUERY = { _id: IDS.query, title: 'Open ones', jsonNataQuery: '$[state = "open"]' };

const LISTED_VIEW = {
  _id: IDS.view,
  title: 'By one author',
  description: 'Pull requests of an author',
  jsonNataQuery: '$[author = $author]',
  category: IDS.category,
  basedOn: null,
  templateKey: 'pulls-all',
  search: 'is:open',
  providerId: 'github',
  entityLabel: 'gh-pulls',
  bases: [],
  parameters: [{ name: 'author', type: 'text', default: 'octocat' }],
  display: { mode: 'table', columns: [{ name: 'title', width: 320 }], sort: '-additions' },
  dependees: [],
  updated_at: '2026-11-25T09:00:00.000Z',
} as const;

export const VIEWS = [LISTED_VIEW];
export const VIEW = { ...LISTED_VIEW, inputs: LISTED_VIEW.parameters };

export const CATEGORY = { _id: IDS.category, title: 'Reports' };

export const PULL = {
  account: 'octocat',
  accounts: ['octocat'],
  id: '1890',
  number: 42,
  title: 'Fix typo',
  author: 'octocat',
  state: 'open',
  additions: 3,
};

const CHART = { kind: 'bars', x: 'state', measure: 'count', order: 'value' } as const;

export const CHART_DATA = {
  chart: CHART,
  proposed: CHART,
  columns: [{ name: 'state', type: 'text', distinct: 2, missing: 0 }],
  rows: 412,
  missing: 0,
  problem: null,
  axis: 'groups',
  bucket: null,
  binWidth: null,
  timeZone: 'Europe/Berlin',
  groups: ['closed', 'open'],
  combinedGroups: 0,
  series: [{ key: null, values: [369, 43] }],
  combinedSeries: 0,
  isPartial: false,
} as const;

const TILE = {
  id: 'k3x9',
  kind: 'view',
  width: 6,
  height: 4,
  viewId: IDS.view,
  picture: 'table',
  title: '',
} as const;

export const BOARD = {
  _id: IDS.board,
  title: 'My week',
  tiles: [
    { id: 'a1', kind: 'text', width: 12, height: 1, text: '# What waits for me' },
    TILE,
    { id: 'm4', kind: 'search', width: 6, height: 4, search: 'is:unread', title: 'Unread' },
  ],
  version: 3,
  weeklyMail: false,
  updated_at: '2026-11-25T08:00:00.000Z',
} as const;

export const BOARD_TILE = TILE;
