import type { FaultEntry } from './fault-entry.ts';

const EVERY = ['google', 'gmail', 'github-oauth', 'github'] as const;
const ANY = /./;

/** Faults that can affect any response in transit. */
export const TRANSPORT_FAULTS = [
  {
    name: 'latency',
    apis: EVERY,
    path: ANY,
    effect: 'The answer comes options.milliseconds (500) later, or when the fault is removed.',
  },
  { name: 'http-500', apis: EVERY, path: ANY, effect: '500 in the form of the api.' },
  { name: 'http-502', apis: EVERY, path: ANY, effect: '502 in the form of the api.' },
  {
    name: 'http-503',
    apis: EVERY,
    path: ANY,
    effect: '503 in the form of the api, with retry-after when options.seconds is set.',
  },
  { name: 'http-504', apis: EVERY, path: ANY, effect: '504 in the form of the api.' },
  { name: 'html-error-body', apis: EVERY, path: ANY, effect: '502 with a page of HTML.' },
  {
    name: 'html-instead-of-json',
    apis: EVERY,
    path: ANY,
    effect: '200 with a page of HTML, as a captive portal answers.',
  },
  { name: 'connection-reset', apis: EVERY, path: ANY, effect: 'The connection breaks before any answer.' },
  {
    name: 'reset-mid-body',
    apis: EVERY,
    path: ANY,
    effect: 'The connection breaks in the middle of the body.',
  },
  {
    name: 'truncated-json',
    apis: EVERY,
    path: ANY,
    effect: 'The body is the first half, its length header fits.',
  },
  { name: 'invalid-json', apis: EVERY, path: ANY, effect: 'The body is not JSON.' },
  { name: 'empty-body', apis: EVERY, path: ANY, effect: 'The body is empty.' },
  {
    name: 'stalled-stream',
    apis: EVERY,
    path: ANY,
    effect: 'Half of the body, then no more data on an open connection.',
  },
  {
    name: 'content-length-too-long',
    apis: EVERY,
    path: ANY,
    effect: 'The header promises more bytes than come before the end.',
  },
  {
    name: 'content-length-too-short',
    apis: EVERY,
    path: ANY,
    effect: 'The header promises fewer bytes than come.',
  },
  { name: 'broken-gzip', apis: EVERY, path: ANY, effect: 'The body is damaged gzip.' },
  {
    name: 'redirect',
    apis: EVERY,
    path: ANY,
    effect: '307 to options.location, by default the same address once more.',
  },
  { name: 'redirect-loop', apis: EVERY, path: ANY, effect: '302 to itself, until the fault is used up.' },
] as const satisfies readonly FaultEntry[];
