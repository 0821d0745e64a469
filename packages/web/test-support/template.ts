import type { Template as WireTemplate } from '@datadeck/contract';
import { type Template, toTemplate } from '../src/api/models.ts';

/** A template over messages whose rows are not whole records, in the wire's format. */
export const WIRE_TEMPLATE: WireTemplate = {
  _id: 't1',
  title: 'By sender',
  description: '',
  templateKey: 'by-sender',
  providerId: 'google',
  entryCollection: 'gmail-messages',
  isOfRecords: false,
  isSearchable: false,
  columns: [],
};

/** The same template in the app's format. */
export const TEMPLATE: Template = toTemplate(WIRE_TEMPLATE);
