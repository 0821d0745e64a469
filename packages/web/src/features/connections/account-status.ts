import type { Account } from '@datadeck/contract';
import type { Tone } from '../../ui/badge.tsx';

/** How a card shows the status of an account. */
export const ACCOUNT_STATUS: Record<Account['status'], { tone: Tone; text: string }> = {
  connected: { tone: 'success', text: 'Connected' },
  'reconnect-needed': { tone: 'error', text: 'Reconnect needed' },
  sample: { tone: 'secondary', text: 'Sample data' },
  disconnected: { tone: 'neutral', text: 'Disconnected' },
};

/** What a provider no longer accepts, and what to do. */
export const REJECTED = {
  consent: 'The provider rejected the stored permission. Connect again',
  form: 'The provider rejected the stored token or password. Reconnect with a new one',
} as const;
