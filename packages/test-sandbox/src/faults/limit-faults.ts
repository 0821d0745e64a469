import type { FaultEntry } from './fault-entry.ts';

const DATA = ['gmail', 'github'] as const;
const ANY = /./;

/** Limits that providers report. */
export const LIMIT_FAULTS = [
  { name: 'gmail-user-rate-limit', apis: ['gmail'], path: ANY, effect: '403 userRateLimitExceeded.' },
  { name: 'gmail-rate-limit', apis: ['gmail'], path: ANY, effect: '403 rateLimitExceeded.' },
  { name: 'gmail-daily-limit', apis: ['gmail'], path: ANY, effect: '403 dailyLimitExceeded.' },
  {
    name: 'gmail-too-many-concurrent',
    apis: ['gmail'],
    path: ANY,
    effect: '429 Too many concurrent requests for user.',
  },
  {
    name: 'gmail-too-many-requests',
    apis: ['gmail'],
    path: ANY,
    effect: '429 with retry-after options.seconds (1).',
  },
  {
    name: 'github-primary-limit',
    apis: ['github'],
    path: ANY,
    effect: '403, nothing remaining, reset in options.seconds (2).',
  },
  {
    name: 'github-primary-limit-retry-after',
    apis: ['github'],
    path: ANY,
    effect: '403, nothing remaining, reset in an hour, but retry-after options.seconds (1).',
  },
  {
    name: 'github-reset-in-past',
    apis: ['github'],
    path: ANY,
    effect: '403, nothing remaining, reset options.seconds (30) ago.',
  },
  {
    name: 'github-secondary-limit',
    apis: ['github'],
    path: ANY,
    effect: '403 secondary limit with retry-after options.seconds (1).',
  },
  {
    name: 'github-secondary-limit-429',
    apis: ['github'],
    path: ANY,
    effect: '429 secondary limit with retry-after options.seconds (1).',
  },
  {
    name: 'github-secondary-limit-bare',
    apis: ['github'],
    path: ANY,
    effect: '403 secondary limit without retry-after.',
  },
  {
    name: 'clock-skew',
    apis: DATA,
    path: ANY,
    effect: 'The Date header, and at GitHub the reset, are off by options.seconds (3600).',
  },
] as const satisfies readonly FaultEntry[];
