import { defineExamples } from './example.ts';
import { OK } from './objects.ts';

const KEY = { key: 'helpdesk' };
const SUMMARY = {
  key: 'helpdesk',
  title: 'Help desk',
  description: 'Tickets of the support team.',
  state: 'published',
  version: 3,
  publishedAt: '2026-11-20T09:00:00.000Z',
  draftAt: null,
  accounts: 4,
} as const;
/** Cut to its beginning. */
const DOCUMENT = '{\n  "version": 1,\n  "key": "helpdesk",\n  "title": "Help desk"\n}';
const NO_COLUMN = { path: 'entities.0.titleColumn', message: 'There is no column subject.' };

/** Examples of the connectors that administrators write. */
export const CONNECTOR_EXAMPLES = defineExamples({
  connectors: {
    response: {
      connectors: [SUMMARY],
      shipped: [{ key: 'todoist', title: 'Todoist', description: 'Keep your tasks.' }],
    },
  },
  connector: {
    params: KEY,
    response: {
      ...SUMMARY,
      document: DOCUMENT,
      changedAt: SUMMARY.publishedAt,
      changedBy: 'Ada Nowak',
      problems: [],
      versions: [{ version: 3, publishedAt: SUMMARY.publishedAt, publishedBy: 'Ada Nowak' }],
      callbackUrl: 'https://datadeck.example.com/auth/helpdesk/callback',
      clientId: null,
      recordings: [{ entity: 'helpdesk-tickets', records: 20, recordedAt: '2026-11-20T08:50:00.000Z' }],
    },
  },
  connectorStart: {
    body: {
      from: 'example',
      key: 'helpdesk',
      title: 'Help desk',
      address: 'https://helpdesk.example.com/api/tickets?page=1',
      answer: '{"tickets": [{"id": 1, "subject": "Printer", "updated_at": "2026-11-19T10:00:00Z"}]}',
    },
    response: { document: DOCUMENT, remarks: ['Pages are guessed to be asked for by number (page).'] },
  },
  connectorSave: {
    params: KEY,
    body: { document: DOCUMENT, changedAt: '2026-11-20T08:50:00.000Z' },
    response: { problems: [NO_COLUMN], draftAt: '2026-11-20T08:55:00.000Z' },
  },
  connectorDiscard: { params: KEY, query: { changedAt: '2026-11-20T08:55:00.000Z' }, response: OK },
  connectorTry: {
    params: KEY,
    body: {
      document: DOCUMENT,
      entity: 'helpdesk-tickets',
      config: { site: 'acme' },
      secret: 'a token',
      settings: {},
    },
    response: {
      request: {
        method: 'GET',
        url: 'https://acme.example.com/api/tickets?page=1',
        headers: { accept: '*/*' },
        body: null,
      },
      answer: {
        status: 200,
        type: 'application/json',
        bytes: 5200,
        milliseconds: 180,
        text: '{"tickets": []}',
      },
      records: { count: 20, first: ['{\n  "id": 1\n}'] },
      nextPage: '/api/tickets?page=2',
      columns: [{ name: 'subject', type: 'text', values: ['Printer'], filled: 20 }],
      suggestions: [{ name: 'status', type: 'text', value: 'record.status', example: 'open' }],
      problems: [],
    },
  },
  connectorProve: {
    params: KEY,
    body: { document: DOCUMENT },
    response: {
      checks: [
        {
          entity: 'helpdesk-tickets',
          title: 'Every record is read once',
          outcome: 'passed',
          message: '',
          path: '',
        },
      ],
      milliseconds: 2400,
    },
  },
  connectorClient: { params: KEY, body: { id: 'datadeck', secret: 'its secret' }, response: OK },
  connectorPublish: {
    params: KEY,
    body: { changedAt: '2026-11-20T08:55:00.000Z' },
    response: { version: 4 },
  },
  connectorRestore: { params: KEY, body: { version: 2 }, response: { version: 5 } },
  connectorWithdraw: { params: KEY, body: { isWithdrawn: true }, response: OK },
  connectorDelete: { params: KEY, body: { confirmation: 'helpdesk' }, response: OK },
});
