/** Longest message of Discord, UTF-16 units. */
export const MAX_DISCORD = 2000;

/** How a chat writes texts of others so that they stay plain, bold texts and links. */
export interface Markup {
  /** Escapes a text of one line. Slack has no escape for `*`, `_`, `~` and back-ticks. */
  plain: (text: string) => string;
  bold: (escaped: string) => string;
  link: (escaped: string, url: string) => string;
}

/** Returns a text from outside as one line, so that it cannot imitate lines of the message. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
}

/** Returns the beginning of a text, which ends with an ellipsis if it is longer. @param length UTF-16 units */
export function beginningOf(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

/** Returns a text as HTML that shows it. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Puts a backslash before each sign that Markdown could read, in the dialects of Discord and Adaptive Cards. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\*_~`|>#+\-[\](){}<!@:.]/g, (sign) => `\\${sign}`);
}

export const SLACK: Markup = {
  plain: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  bold: (escaped) => `*${escaped}*`,
  link: (escaped, url) => `<${url}|${escaped}>`,
};
export const DISCORD: Markup = {
  plain: escapeMarkdown,
  bold: (escaped) => `**${escaped}**`,
  // The angle brackets keep Discord from showing a preview.
  link: (escaped, url) => `[${escaped}](<${url}>)`,
};
export const CARD: Markup = {
  plain: escapeMarkdown,
  bold: (escaped) => `**${escaped}**`,
  link: (escaped, url) => `[${escaped}](${url})`,
};

/** Returns the body of a message to Slack. */
export function slackBody(text: string): object {
  return { text, unfurl_links: false, unfurl_media: false };
}

/** Returns the body of a message to Discord, which can mention nobody. */
export function discordBody(content: string): object {
  return { content, allowed_mentions: { parse: [] } };
}

/** Returns the body of a message to Teams: an Adaptive Card with a button. @param lines written by `CARD`, the first as title */
export function cardBody(
  [first = '', ...lines]: readonly string[],
  action: { title: string; url: string },
): object {
  const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    body: [block(first, { size: 'Medium' }), ...lines.map((line) => block(line, { spacing: 'Small' }))],
    actions: [{ type: 'Action.OpenUrl', ...action }],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}
