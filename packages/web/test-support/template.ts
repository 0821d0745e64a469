import type { Template } from '@datadeck/contract';

/** A template over messages, whose rows are no records. */
export const TEMPLATE: Template = {
  _id: 't1',
  title: 'By sender',
  description: '',
  templateKey: 'by-sender',
  providerId: 'google',
  entryCollection: 'gmail-messages',
  isOfRecords: false,
  columns: [],
};
