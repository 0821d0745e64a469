import type { Label } from './mail.ts';

const SYSTEM = [
  'CHAT',
  'SENT',
  'INBOX',
  'IMPORTANT',
  'TRASH',
  'DRAFT',
  'SPAM',
  'CATEGORY_FORUMS',
  'CATEGORY_UPDATES',
  'CATEGORY_PERSONAL',
  'CATEGORY_PROMOTIONS',
  'CATEGORY_SOCIAL',
  'STARRED',
  'UNREAD',
];

const HIDDEN = /^(CHAT|CATEGORY_.*|UNREAD|IMPORTANT|SPAM|TRASH)$/;

/** Returns the labels of every mailbox, in Gmail's order. */
export function systemLabels(): Label[] {
  return SYSTEM.map((id) => ({ id, name: id, type: 'system' }));
}

/** Returns the n-th user label of a mailbox, with a colour from Gmail's palette. */
export function userLabel(number: number, name: string): Label {
  const [textColor, backgroundColor] = PALETTE[number % PALETTE.length] ?? ['#000000', '#ffffff'];
  return { id: `Label_${number}`, name, type: 'user', color: { textColor, backgroundColor } };
}

const PALETTE = [
  ['#094228', '#c6f3de'],
  ['#0d3472', '#c9daf8'],
  ['#711a36', '#fbc8d9'],
  ['#594c05', '#fef1d1'],
  ['#41236d', '#e4d7f5'],
  ['#7a2e0b', '#ffdeb5'],
] as const;

/** Returns a label in the format of `labels.list`. */
export function labelResource(label: Label): Record<string, unknown> {
  const { id, name, type, color } = label;
  if (type === 'user')
    return { id, name, messageListVisibility: 'show', labelListVisibility: 'labelShow', type, color };
  if (!HIDDEN.test(id)) return { id, name, type };
  return { id, name, messageListVisibility: 'hide', labelListVisibility: 'labelHide', type };
}
