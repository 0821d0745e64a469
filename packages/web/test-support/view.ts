import type { View as WireView } from '@datadeck/contract';
import { toView, type View } from '../src/api/models.ts';

/** An uncategorised view on a template, in the wire's format. */
export const WIRE_VIEW: WireView = {
  _id: 'v',
  title: 'Mine',
  description: 'What it is',
  jsonNataQuery: '$',
  category: null,
  basedOn: null,
  templateKey: 'by-sender',
  search: '',
  bases: [],
  display: null,
  providerId: 'google',
  entityLabel: 'gmail-messages',
  dependees: [],
  parameters: [],
  inputs: [],
  updated_at: '2026-11-20T10:00:00.000Z',
};

/** The same view in the app's format. */
export const VIEW: View = toView(WIRE_VIEW);
