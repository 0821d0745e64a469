import type { View } from '@datadeck/contract';

/** A view on a template, in no category. */
export const VIEW: View = {
  _id: 'v',
  title: 'Mine',
  description: 'What it is',
  jsonNataQuery: '$',
  category: null,
  basedOn: null,
  templateKey: 'by-sender',
  providerId: 'google',
  entityLabel: 'gmail-messages',
  dependees: [],
  parameters: [],
  inputs: [],
  updated_at: '2026-11-20T10:00:00.000Z',
};
