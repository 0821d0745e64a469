import type { FaultEntry } from './fault-entry.ts';

const EVERY = ['google', 'gmail', 'microsoft', 'github-oauth', 'github'] as const;
const ANY = /./;

/** Faults that can affect any response in transit. */
export const TRANSPORT_FAULTS = [
  {
    name: 'latency',
    apis: EVERY,
    path: ANY,
    effect: 'The response is delayed by options.milliseconds (500), or until the fault is removed.',
  },
  { name: 'http-500', apis: EVERY, path: ANY, effect: '500 in the format of the API.' },
  { name: 'http-502', apis: EVERY, path: ANY, effect: '502 in the format of the API.' },
  {
    name: 'http-503',
    apis: EVERY,
    path: ANY,
    effect: '503 in the format of the API, with retry-after when options.seconds is set.',
  },
  { name: 'http-504', apis: EVERY, path: ANY, effect: '504 in the format of the API.' },
  { name: 'html-error-body', apis: EVERY, path: ANY, effect: '502 with an HTML page.' },
  {
    name: 'html-instead-of-json',
    apis: EVERY,
    path: ANY,
    effect: '200 with an HTML page, like a captive portal.',
  },
  { name: 'connection-reset', apis: EVERY, path: ANY, effect: 'The connection breaks before the response.' },
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
    effect: 'The body ends after its first half, with a matching length header.',
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
    effect: 'The length header states more bytes than the body has.',
  },
  {
    name: 'content-length-too-short',
    apis: EVERY,
    path: ANY,
    effect: 'The length header states fewer bytes than the body has.',
  },
  { name: 'broken-gzip', apis: EVERY, path: ANY, effect: 'The body is damaged gzip.' },
  {
    name: 'redirect',
    apis: EVERY,
    path: ANY,
    effect: '307 to options.location, by default the same address.',
  },
  {
    name: 'redirect-loop',
    apis: EVERY,
    path: ANY,
    effect: '302 to itself, until the fault has no hits left.',
  },
] as const satisfies readonly FaultEntry[];
