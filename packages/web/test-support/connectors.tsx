import type { ConnectorDetail, ConnectorSummary, Profile } from '@datadeck/contract';
import { Route, Routes } from 'react-router';
import { PATHS } from '../src/address/paths.ts';
import { createStore } from '../src/app/state/store.ts';
import { ConnectorsPage } from '../src/features/connectors/connectors-page.tsx';
import { accountsApi } from '../src/features/sign-in/accounts-api.ts';
import { signedIn } from '../src/features/sign-in/auth-slice.ts';
import { ConfirmationDialog } from '../src/ui/confirmation.tsx';
import { open } from './pages.tsx';
import { type Call, serve } from './render.tsx';

export const summary: ConnectorSummary = {
  key: 'desk',
  title: 'Help desk',
  description: 'Tickets.',
  state: 'published',
  version: 2,
  publishedAt: '2026-11-01T08:00:00.000Z',
  draftAt: '2026-11-20T08:00:00.000Z',
  accounts: 3,
};

export const DOCUMENT = {
  version: 1,
  key: 'desk',
  title: 'Help desk',
  description: 'Tickets.',
  baseUrl: 'https://desk.example.com/api',
  authentication: { kind: 'bearer' },
  connect: { secret: { name: 'token', label: 'API token' } },
  quota: { perMinute: 60 },
  entities: [
    {
      id: 'desk-tickets',
      title: 'Tickets',
      description: 'All tickets.',
      request: { path: '/tickets', query: { sort: "'-id'" } },
      settings: [{ name: 'queue', label: 'Queue', required: false }],
      records: 'response.items',
      date: 'record.created_at',
      columns: { subject: { type: 'text', value: 'record.subject' } },
      titleColumn: 'subject',
      templates: [{ key: 'desk-tickets-all', kind: 'records', title: 'All', description: 'All.' }],
    },
  ],
};

export const detail: ConnectorDetail = {
  ...summary,
  document: JSON.stringify(DOCUMENT, null, 2),
  changedAt: '2026-11-20T08:00:00.000Z',
  changedBy: 'Root',
  problems: [],
  versions: [
    { version: 2, publishedAt: '2026-11-01T08:00:00.000Z', publishedBy: 'Root' },
    { version: 1, publishedAt: '2026-10-01T08:00:00.000Z', publishedBy: '' },
  ],
  recordings: [],
  callbackUrl: 'https://data.example.org/auth/desk/callback',
  clientId: null,
};

const root: Profile = {
  _id: 'u1',
  name: 'Root',
  email: 'root@example.org',
  status: 'standard',
  isAdministrator: true,
  signInProvider: null,
  timeZone: 'UTC',
};

type Answer = { status?: number; body: unknown };

/**
 * Opens the screens of connectors as an administrator, or as another user.
 * @param answers by method and the end of the path, e.g. `PUT /draft`, which the test may change; other calls fail
 * @returns the calls of connectors
 */
export function openConnectors(
  path: string,
  answers: Record<string, Answer>,
  { isAdministrator = true } = {},
): Call[] {
  const calls: Call[] = [];
  serve((call) => {
    const { pathname } = new URL(call.url, 'http://localhost');
    if (pathname.includes('/admin/connectors')) calls.push(call);
    const found = Object.entries(answers).find(
      ([end]) => `${call.method} ${pathname}`.replace('/api/admin/connectors', '') === end,
    );
    return found?.[1] ?? { status: 500, body: {} };
  });
  const store = createStore();
  store.dispatch(signedIn('t'));
  const { isAdministrator: _none, ...user } = root;
  const value = isAdministrator ? root : user;
  store.dispatch(accountsApi.util.upsertQueryEntries([{ endpointName: 'profile', arg: undefined, value }]));
  open(
    PATHS.connectors + path,
    <>
      <Routes>
        <Route path={`${PATHS.connectors}/:key?`} element={<ConnectorsPage />} />
      </Routes>
      <ConfirmationDialog />
    </>,
    store,
  );
  return calls;
}
