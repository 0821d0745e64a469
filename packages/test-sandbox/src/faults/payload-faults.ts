import type { FaultEntry } from './fault-entry.ts';

const DATA = ['gmail', 'github'] as const;
const ANY = /./;

/** Odd responses. Odd records can be inserted instead, see MAIL_ODDITIES and PULL_ODDITIES. */
export const PAYLOAD_FAULTS = [
  {
    name: 'bad-base64url',
    apis: ['gmail'],
    path: /\/messages\/[^/]+$/,
    effect: 'The data of a message body is not base64url.',
  },
  {
    name: 'missing-body',
    apis: ['gmail'],
    path: /\/messages\/[^/]+$/,
    effect: 'The parts of a message have no body.',
  },
  {
    name: 'missing-payload',
    apis: ['gmail'],
    path: /\/messages\/[^/]+$/,
    effect: 'The message has no payload.',
  },
  { name: 'unknown-field', apis: DATA, path: ANY, effect: 'The response has an undocumented field.' },
  {
    name: 'batch-part-refused',
    apis: ['gmail'],
    path: /batch/,
    effect: 'Every second part of a batch is 429 inside a 200.',
  },
] as const satisfies readonly FaultEntry[];
