import { NOTICE_ROWS, type WebhookFormat } from '@datadeck/contract';
import {
  htmlElements,
  introOf,
  type Line,
  type Message,
  oneLine,
  plainText,
  restOf,
  sectionsOf,
  summaryOf,
} from './messages.ts';

/** Longest text of a row in a chat, UTF-16 units. */
const MAX_ROW = 200;
/** Longest message of Discord, UTF-16 units. */
const MAX_DISCORD = 2000;

/** How a chat writes texts of others so that they stay plain, bold texts and links. */
interface Markup {
  plain: (text: string) => string;
  bold: (escaped: string) => string;
  link: (escaped: string, url: string) => string;
}

function cut(text: string): string {
  return text.length <= MAX_ROW ? text : `${text.slice(0, MAX_ROW - 1).toWellFormed()}…`;
}

/** Puts a backslash before each sign that Markdown could read, in the dialects of Discord and Adaptive Cards. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\*_~`|>#+\-[\](){}<!@:.]/g, (sign) => `\\${sign}`);
}

const SLACK: Markup = {
  plain: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  bold: (escaped) => `*${escaped}*`,
  link: (escaped, url) => `<${url}|${escaped}>`,
};
const DISCORD: Markup = {
  plain: escapeMarkdown,
  bold: (escaped) => `**${escaped}**`,
  // The angle brackets keep Discord from showing a preview.
  link: (escaped, url) => `[${escaped}](<${url}>)`,
};
const CARD: Markup = {
  plain: escapeMarkdown,
  bold: (escaped) => `**${escaped}**`,
  link: (escaped, url) => `[${escaped}](${url})`,
};

function headOf(message: Message, { plain, bold }: Markup): string[] {
  const title = bold(plain(message.title));
  return [...introOf(message).map(plain), `${title}: ${summaryOf(message.changes)}.`];
}

/** Returns the lines of the rows: a heading before those of each kind. */
function rowsOf(message: Message, { plain, link }: Markup): string[] {
  const toText = ({ text, url }: Line) => {
    const escaped = plain(cut(text));
    return `• ${url === undefined ? escaped : link(escaped, url)}`;
  };
  return sectionsOf(message).flatMap(({ heading, lines }) => [heading, ...lines.map(toText)]);
}

/** Returns a message as lines, as many rows as fit. */
function linesOf(message: Message, markup: Markup, maxLength = Number.POSITIVE_INFINITY): string {
  const head = headOf(message, markup);
  const view = markup.link('Open the view', message.url);
  for (let count = message.changes.rows.length; ; count--) {
    const fewer = { ...message, changes: { ...message.changes, rows: message.changes.rows.slice(0, count) } };
    const text = [...head, ...rowsOf(fewer, markup), ...restOf(fewer.changes).map(markup.plain), view].join(
      '\n',
    );
    if (text.length <= maxLength || count === 0) return text;
  }
}

/** Returns a message as an Adaptive Card. */
function cardOf(message: Message): object {
  const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });
  const [first = '', ...others] = headOf(message, CARD);
  const lines = [...others, ...rowsOf(message, CARD), ...restOf(message.changes).map(CARD.plain)];
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    body: [block(first, { size: 'Medium' }), ...lines.map((line) => block(line, { spacing: 'Small' }))],
    actions: [{ type: 'Action.OpenUrl', title: 'Open the view', url: message.url }],
  };
}

/** Returns the body of a webhook for a chat. Texts of rows can neither mention people nor add links. */
export function chatBody(format: Exclude<WebhookFormat, 'json'>, whole: Message): object {
  const rows = whole.changes.rows.slice(0, NOTICE_ROWS);
  const title = cut(oneLine(whole.title));
  const message = { ...whole, title, changes: { ...whole.changes, rows } };
  if (format === 'slack') return { text: linesOf(message, SLACK), unfurl_links: false, unfurl_media: false };
  if (format === 'discord')
    return { content: linesOf(message, DISCORD, MAX_DISCORD), allowed_mentions: { parse: [] } };
  if (format === 'matrix') return { text: plainText(message), html: htmlElements(message) };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content: cardOf(message) }] };
}
