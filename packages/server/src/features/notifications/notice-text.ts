import type { NoticeFormat } from '@datadeck/contract';
import {
  beginningOf,
  CARD,
  cardBody,
  DISCORD,
  discordBody,
  escapeHtml,
  type Markup,
  oneLine,
  SLACK,
  slackBody,
} from './chat-markup.ts';

/** Longest title, message and advice in a chat, UTF-16 units: Discord takes 2,000 with their escapes. */
const MAX_TEXT = 300;
const OPEN = 'Open Datadeck';

/** A notification as it is sent to people. */
export interface NoticeText {
  title: string;
  message: string;
  advice: string;
  /** Where the product shows it. */
  url: string;
}

/** Returns a text as one line that a chat takes. */
export function shorten(text: string): string {
  return beginningOf(oneLine(text), MAX_TEXT);
}

function linesOf({ title, message, advice }: NoticeText, { plain, bold }: Markup): string[] {
  return [
    bold(plain(shorten(title))),
    ...[message, advice].filter(Boolean).map((text) => plain(shorten(text))),
  ];
}

/** Returns a notification as plain text. */
export function plainNotice({ title, message, advice, url }: NoticeText): string {
  return [...[title, message, advice].filter(Boolean).map(oneLine), '', `${OPEN}: ${url}`].join('\n');
}

/** Returns a notification as elements of HTML. */
export function htmlNotice({ title, message, advice, url }: NoticeText): string {
  const paragraphs = [message, advice].filter(Boolean).map((text) => `<p>${escapeHtml(oneLine(text))}</p>`);
  return [
    `<h2>${escapeHtml(oneLine(title))}</h2>`,
    ...paragraphs,
    `<p><a href="${escapeHtml(url)}">${OPEN}</a></p>`,
  ].join('\n');
}

/**
 * Returns the body of a webhook for people. Texts of providers can mention nobody, and write no link under another text; a chat
 * may still link an address that is written out.
 */
export function noticeBody(format: Exclude<NoticeFormat, 'json' | 'ntfy'>, notice: NoticeText): object {
  if (format === 'matrix') return { text: plainNotice(notice), html: htmlNotice(notice) };
  if (format === 'teams') return cardBody(linesOf(notice, CARD), { title: OPEN, url: notice.url });
  const written = (markup: Markup) => [...linesOf(notice, markup), markup.link(OPEN, notice.url)].join('\n');
  if (format === 'slack') return slackBody(written(SLACK));
  return discordBody(written(DISCORD));
}
