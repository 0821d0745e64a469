import type { NoticeFormat } from '@datadeck/contract';

/** Names of the formats of webhooks. */
export const FORMAT_WORDS: Readonly<Record<NoticeFormat, string>> = {
  json: 'JSON',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Teams',
  matrix: 'Matrix',
  ntfy: 'ntfy',
};
