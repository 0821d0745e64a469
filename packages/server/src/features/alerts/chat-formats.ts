import { NOTICE_ROWS, type WebhookFormat } from '@datadeck/contract';
import {
  beginningOf,
  CARD,
  cardBody,
  DISCORD,
  discordBody,
  MAX_DISCORD,
  type Markup,
  oneLine,
  SLACK,
  slackBody,
} from '../notifications/index.ts';
import {
  htmlElements,
  introOf,
  type Line,
  type Message,
  plainText,
  restOf,
  sectionsOf,
  summaryOf,
} from './messages.ts';

/** Longest text of a row in a chat, UTF-16 units. */
const MAX_ROW = 200;
function headOf(message: Message, { plain, bold }: Markup): string[] {
  const title = bold(plain(message.title));
  return [...introOf(message).map(plain), `${title}: ${summaryOf(message.changes)}.`];
}

/** Returns the lines of the rows: a heading before those of each kind. */
function rowsOf(message: Message, { plain, link }: Markup): string[] {
  const toText = ({ text, url }: Line) => {
    const escaped = plain(beginningOf(text, MAX_ROW));
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

/** Returns the body of a webhook for a chat. Texts of rows can mention nobody, and write no link under another text. */
export function chatBody(format: Exclude<WebhookFormat, 'json'>, whole: Message): object {
  const rows = whole.changes.rows.slice(0, NOTICE_ROWS);
  const title = beginningOf(oneLine(whole.title), MAX_ROW);
  const message = { ...whole, title, changes: { ...whole.changes, rows } };
  if (format === 'slack') return slackBody(linesOf(message, SLACK));
  if (format === 'discord') return discordBody(linesOf(message, DISCORD, MAX_DISCORD));
  if (format === 'matrix') return { text: plainText(message), html: htmlElements(message) };
  const lines = [
    ...headOf(message, CARD),
    ...rowsOf(message, CARD),
    ...restOf(message.changes).map(CARD.plain),
  ];
  return cardBody(lines, { title: 'Open the view', url: message.url });
}
