// biome-ignore-all lint/suspicious/noTemplateCurlyInString: patterns as the source writes them
/** A regular expression that is not linear, or made while running, and why it may stay. */
interface AllowedPattern {
  file: string;
  /** As the source writes it. */
  pattern: string;
  /** Whose text it is matched against, and what bounds it. */
  reason: string;
  /** recheck calls it linear at times: the entry may be without use. */
  isUndecided?: true;
}

const OPERATOR = "An address from the operator's own configuration.";
export const ALLOWED: readonly AllowedPattern[] = [
  {
    file: 'packages/server/src/platform/config/setting-types.ts',
    pattern: String.raw`/\/+$/`,
    reason: OPERATOR,
  },
  { file: 'packages/sandbox/src/settings/sandbox-options.ts', pattern: String.raw`/\/+$/`, reason: OPERATOR },
  {
    file: 'packages/connectors/src/github/api/link-header.ts',
    pattern: String.raw`/;\s*(?!rel\s*=)[^\s;,="]+\s*=\s*"(?:\\.|[^"\\])*"/gi`,
    reason: 'At most 4,096 characters of a header are read.',
    isUndecided: true,
  },
  {
    file: 'packages/contract/src/entities.ts',
    pattern: "new RegExp(`^(?:${pattern})$`, 'u')",
    reason:
      'The pattern is a constant of a connector, or one of a document that `patternProblem` accepted; the value is a setting of bounded length.',
  },
  {
    file: 'packages/connectors/src/declarative/builder/pattern-check.ts',
    pattern: "new RegExp(`^${source}$`, 'u')",
    reason: 'One character or class, compared with one character.',
  },
  {
    file: 'packages/connectors/src/declarative/builder/pattern-check.ts',
    pattern: "new RegExp(source, 'u')",
    reason: 'Compiled to learn whether it is well formed, and compared with nothing.',
  },
  {
    file: 'packages/connectors/src/declarative/builder/replace-values.ts',
    pattern: "new RegExp(sorted.map(escaped).join('|'), 'gi')",
    reason: 'A choice of plain texts of at most 200 characters, compared with at most 500.',
  },
  {
    file: 'packages/sandbox/src/samples/mail/compose-mail.ts',
    pattern: '/<([^>]+)>/',
    reason: 'Addresses of the bundled samples.',
  },
  {
    file: 'packages/connectors/src/imap/classify.ts',
    pattern: '/too many|simultaneous|rate.?limit|throttl|limits? (hit|reached|exceeded)|exceeded .*limit/i',
    reason: 'The first 500 characters of a refusal.',
  },
  {
    file: 'packages/sandbox/src/mime/mail-date.ts',
    pattern: String.raw`/(\d{1,2})[\s-]{1,9}([A-Za-z]{3})[A-Za-z]{0,9}[\s,-]{1,9}(\d{2,4})\s{1,9}(\d{1,2})\s{0,9}[:.]\s{0,9}(\d{1,2})(?:\s{0,9}[:.]\s{0,9}(\d{1,2}))?\s{0,9}(?:([+-])\s{0,9}(\d{1,2}):?(\d{2})|([A-Za-z]{1,5}))?/`,
    reason:
      'A header of at most 300 characters, with bounded repetitions; recheck finds no proof either way.',
    isUndecided: true,
  },
];
