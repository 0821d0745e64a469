// biome-ignore-all lint/suspicious/noTemplateCurlyInString: patterns as the source writes them
/** A regular expression that is not linear, or made while running, and why it may stay. */
interface AllowedPattern {
  file: string;
  /** As the source writes it. */
  pattern: string;
  /** Whose text it is matched against, and what bounds it. */
  reason: string;
  /** It is to be replaced: once it is gone, this entry may stay for a while. */
  isPending?: true;
}

const OPERATOR = "An address from the operator's own configuration.";
const STAND_IN =
  'Stand-in for tests and first steps: the mails of its own samples and of a folder on this machine.';

function pending(file: string, reason: string, patterns: readonly string[]): AllowedPattern[] {
  return patterns.map((pattern) => ({ file, pattern, reason, isPending: true }));
}

export const ALLOWED: readonly AllowedPattern[] = [
  { file: 'packages/connectors/src/sdk/provider-client.ts', pattern: String.raw`/\/+$/`, reason: OPERATOR },
  { file: 'packages/server/src/platform/config/config.ts', pattern: String.raw`/\/+$/`, reason: OPERATOR },
  { file: 'packages/sandbox/src/settings/sandbox-options.ts', pattern: String.raw`/\/+$/`, reason: OPERATOR },
  {
    file: 'packages/contract/src/entities.ts',
    pattern: "new RegExp(`^(?:${pattern})$`, 'u')",
    reason: 'The pattern is a constant of a connector, anchored; the value is a setting of bounded length.',
  },
  {
    file: 'packages/jsonata/src/pattern/program.ts',
    pattern: "new RegExp(`^${source}$`, flags.includes('i') ? 'i' : '')",
    reason: 'The source is a class of characters, the text one UTF-16 unit.',
  },
  {
    file: 'packages/sandbox/src/control/control-input.ts',
    pattern: 'new RegExp(fields.path)',
    reason: 'The control of the stand-in, which only who starts it may use.',
  },
  {
    file: 'packages/sandbox/src/synthetic/pull-template.ts',
    pattern: "new RegExp(`(${marks.join('|')})`)",
    reason: 'Constants and a text, both made by the stand-in itself.',
  },
  {
    file: 'packages/sandbox/src/samples/mail/compose-mail.ts',
    pattern: '/<([^>]+)>/',
    reason: 'Addresses of the bundled samples.',
  },
  {
    file: 'packages/sandbox/src/samples/mail/compose-mail.ts',
    pattern: String.raw`/([^<,]+?)(\s*<)/g`,
    reason: 'Addresses of the bundled samples.',
  },
  {
    file: 'packages/connectors/src/imap/classify.ts',
    pattern: '/too many|simultaneous|rate.?limit|throttl|limits? (hit|reached|exceeded)|exceeded .*limit/i',
    reason: 'The first 500 characters of a refusal.',
  },
  ...pending('packages/sandbox/src/gmail/snippet.ts', STAND_IN, [
    String.raw`/<(head|style|script|title)\b[\s\S]*?<\/\1\s*>/gi`,
    String.raw`/<!--[\s\S]*?-->/g`,
    '/<[^>]*>/g',
  ]),
  ...pending('packages/sandbox/src/mime/encoded-word.ts', STAND_IN, [
    String.raw`/=\?([^?\s]+)\?([bBqQ])\?([^?]*(?:\?(?!=)[^?]*)*)\?=/g`,
  ]),
  ...pending('packages/sandbox/src/mime/header-block.ts', STAND_IN, [String.raw`/[\r\n]+$/`]),
  ...pending('packages/sandbox/src/mime/mail-date.ts', STAND_IN, [
    String.raw`/(\d{1,2})[\s-]+([A-Za-z]{3})[A-Za-z]*[\s,-]+(\d{2,4})\s+(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2}))?\s*(?:([+-])\s*(\d{1,2}):?(\d{2})|([A-Za-z]{1,5}))?/`,
    String.raw`/\([^)]*\)/g`,
  ]),
  ...pending('packages/sandbox/src/mime/parameters.ts', STAND_IN, [
    String.raw`/([^\s=;]+?)\s*=\s*(?:"((?:\\.|[^"\\])*)"?|([^;]*))/g`,
  ]),
  ...pending('packages/sandbox/src/mime/transfer-encoding.ts', STAND_IN, [String.raw`/[;\s].*$/`]),
];
