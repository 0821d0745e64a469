import type {
  Alert,
  AlertChannel,
  AlertDelivery,
  AlertDigest,
  AlertKind,
  ConditionKind,
} from '@datadeck/contract';
import { countOf } from '../../ui/duration.ts';

/** Kinds of changes in the order of their display. */
export const KIND_VERBS: Readonly<Record<AlertKind, string>> = {
  appeared: 'appear',
  changed: 'change',
  disappeared: 'disappear',
};

/** Kinds of conditions on a number in the order of their display. */
export const CONDITION_VERBS: Readonly<Record<ConditionKind, string>> = {
  above: 'rises above',
  below: 'falls below',
  by: 'changes by',
};

export const DIGEST_WORDS: Readonly<Record<AlertDigest, string>> = {
  each: 'After each sync',
  hourly: 'Hourly',
  daily: 'Daily',
};

export const CHANNEL_WORDS: Readonly<Record<AlertChannel, string>> = {
  bell: 'Bell',
  email: 'Mail',
  webhook: 'Webhook',
  ntfy: 'ntfy',
};

/** How the outcome of a delivery is shown. */
export const DELIVERY_DOTS = {
  delivered: { colour: 'success', label: 'Delivered' },
  failed: { colour: 'error', label: 'Not delivered' },
  waiting: { colour: 'secondary', label: 'Not delivered yet' },
} as const;

const either = new Intl.ListFormat('en', { type: 'disjunction' });

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/** Returns what an alert watches for: `Rows that appear, change, or disappear`, or `open rises above 40`. */
export function watchText({ kinds, condition }: Pick<Alert, 'kinds' | 'condition'>): string {
  if (condition) {
    const { kind, value, group } = condition;
    return `${group || 'The number'} ${CONDITION_VERBS[kind]} ${number.format(value)}`;
  }
  const verbs = Object.entries(KIND_VERBS).flatMap(([kind, verb]) =>
    kinds.some((one) => one === kind) ? [verb] : [],
  );
  return `Rows that ${either.format(verbs)}`;
}

/** Returns an hour of the day as text: `08:00`. */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** Returns how often an alert reports: `Daily at 08:00`. */
export function digestText({ digest, digestHour }: Pick<Alert, 'digest' | 'digestHour'>): string {
  return digestHour === null ? DIGEST_WORDS[digest] : `${DIGEST_WORDS[digest]} at ${hourText(digestHour)}`;
}

/** Returns where an alert is delivered: `Bell, Mail`. */
export function channelsText({ bell, email, webhookUrl, ntfyUrl }: Alert): string {
  const isUsed: Record<AlertChannel, boolean> = {
    bell,
    email,
    webhook: webhookUrl !== '',
    ntfy: ntfyUrl !== '',
  };
  const channels = Object.entries(CHANNEL_WORDS) as [AlertChannel, string][];
  return channels.flatMap(([channel, word]) => (isUsed[channel] ? [word] : [])).join(', ');
}

/** Returns the counts of a delivery: `3 rows appeared, 1 row changed`, or its number: `open: 42, before 38`. */
export function changesText({ changes, isTest }: AlertDelivery): string {
  if (isTest) return 'Test';
  if (changes.number) {
    const { group, now, before } = changes.number;
    return `${group || 'Number'}: ${number.format(now)}, before ${number.format(before)}`;
  }
  const kinds = Object.keys(KIND_VERBS) as AlertKind[];
  return kinds
    .filter((kind) => changes[kind] > 0)
    .map((kind) => `${countOf(changes[kind], 'row')} ${kind}`)
    .join(', ');
}

/** Returns the values of a view's parameters as text: `author = octocat`; empty for the defaults. */
export function valuesText(parameters: string | null | undefined): string {
  if (!parameters) return '';
  const values = JSON.parse(parameters) as Record<string, unknown>;
  return Object.entries(values)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join(', ');
}
