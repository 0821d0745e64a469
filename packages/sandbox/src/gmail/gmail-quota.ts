import { ConcurrencyGate } from '../quota/concurrency-gate.ts';
import { QuotaWindow } from '../quota/quota-window.ts';
import type { Settings } from '../settings/sandbox-options.ts';

/** Quota units of each method (Google's table of May 2026). */
export const UNITS = {
  'labels.list': 1,
  'labels.get': 1,
  getProfile: 1,
  'history.list': 2,
  'messages.list': 5,
  'threads.list': 10,
  'messages.get': 20,
  'attachments.get': 20,
  'threads.get': 40,
} as const;

/** A method that uses quota units. */
export type GmailMethod = keyof typeof UNITS;

const UNITS_PER_USER_MINUTE = 6000;
const CONCURRENT_PER_USER = 50;

/** Google's limits per user: units per minute and concurrent requests. */
export interface GmailQuota {
  units: QuotaWindow;
  gate: ConcurrencyGate;
}

/** Returns the quotas, scaled by the settings. */
export function gmailQuota(settings: Settings): GmailQuota {
  const scaled = (limit: number) => Math.ceil(limit * settings.quotaScale);
  const units = {
    limit: scaled(UNITS_PER_USER_MINUTE),
    shownLimit: UNITS_PER_USER_MINUTE,
    windowMs: settings.minuteMs,
  };
  return { units: new QuotaWindow(units), gate: new ConcurrencyGate(scaled(CONCURRENT_PER_USER)) };
}
