import type { Template as WireTemplate } from '@datadeck/contract';
import { type Template, toTemplate } from '../src/api/wire.ts';

/** A template over messages, whose rows are no records, as the server sends it. */
export const WIRE_TEMPLATE: WireTemplate = {
  _id: 't1',
  title: 'By sender',
  description: '',
  templateKey: 'by-sender',
  providerId: 'google',
  entryCollection: 'gmail-messages',
  isOfRecords: false,
  columns: [],
};

/** The same as the app has it. */
export const TEMPLATE: Template = toTemplate(WIRE_TEMPLATE);
