import type { AlertChanges, ChangedRow } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chatBody } from './chat-formats.ts';
import { htmlText, noticeRowsOf, plainText, subjectOf } from './messages.ts';

/** Texts that try to become something else than text, by what they are aimed at. */
const HOSTILE: Record<string, string> = {
  markup: '<img src=x onerror=alert(1)><a href="https://evil.example">"&\'',
  lines: 'a\r\n- b\n\nOpen the view: https://evil.example\u2028c\u0085d\u000be',
  direction: '\u202etxt.exe\u2066 \u2069',
  controls: '\u0000\u0007\u001b[31m\u009b',
  surrogate: 'a\ud800b',
  mention: '@everyone <!channel> <@U1> [x](javascript:alert(1)) `code` *b*',
  length: 'long '.repeat(5000),
  empty: '',
};

/** Puts a text into every place of a row. */
function rowsOf(text: string): ChangedRow[] {
  const record = { title: text, person: text, place: text, account: text };
  return [
    { kind: 'appeared', key: text, row: { [text]: text }, record },
    { kind: 'appeared', key: null, row: text },
    { kind: 'changed', key: text, row: { a: text }, before: { a: `${text}2` }, record },
    { kind: 'disappeared', key: text, row: { a: text, [text]: 1 } },
  ];
}

function messageOf(text: string) {
  const changes: AlertChanges = { appeared: 2, changed: 1, disappeared: 14, rows: rowsOf(text) };
  const recordUrl = ({ record }: ChangedRow) => record && 'https://deck.example/r?a=1&b=2';
  return { title: text, changes, isTest: false, url: 'https://deck.example/v', recordUrl };
}

/** The bodies as the chats document them. */
const SCHEMAS = {
  slack: z.strictObject({
    text: z.string().min(1).max(4000),
    unfurl_links: z.literal(false),
    unfurl_media: z.literal(false),
  }),
  discord: z.strictObject({
    content: z.string().min(1).max(2000),
    allowed_mentions: z.strictObject({ parse: z.array(z.string()).max(0) }),
  }),
  matrix: z.strictObject({ text: z.string().min(1).max(20_000), html: z.string().max(20_000) }),
  teams: z.strictObject({
    type: z.literal('message'),
    attachments: z.tuple([
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: z.strictObject({
          $schema: z.url(),
          type: z.literal('AdaptiveCard'),
          version: z.literal('1.2'),
          body: z.array(
            z.strictObject({
              type: z.literal('TextBlock'),
              text: z.string(),
              wrap: z.literal(true),
              size: z.string().optional(),
              spacing: z.string().optional(),
            }),
          ),
          actions: z.tuple([
            z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string(), url: z.url() }),
          ]),
        }),
      }),
    ]),
  }),
};

describe.each(Object.entries(HOSTILE))('a message of rows with %s', (_, text) => {
  const message = messageOf(text);

  it('has the lines of the message and no others', () => {
    const lines = plainText(message).split('\n');
    expect(lines).toHaveLength(1 + 3 * 2 + 4 + 2 + 4);
    expect(lines.filter((line) => line.startsWith('Open the view:'))).toEqual([
      'Open the view: https://deck.example/v',
    ]);
    for (const line of [...lines.slice(1), subjectOf(message)]) {
      expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      expect(line.isWellFormed()).toBe(true);
    }
    for (const line of lines.slice(1)) expect(line.length).toBeLessThan(600);
  });

  it('has only tags and links of its own in HTML', () => {
    const html = htmlText(message);
    const tags = new Set(html.match(/<\/?[a-z!][a-z0-9]*/g));
    const own = ['!doctype', 'html', 'head', 'meta', 'title', 'body', 'h2', 'h3', 'ul', 'li', 'p', 'a'];
    for (const tag of tags) expect(own).toContain(tag.replace(/^<\/?/, ''));
    expect(new Set(html.match(/href="[^"]*"/g))).toEqual(
      new Set(['href="https://deck.example/r?a=1&amp;b=2"', 'href="https://deck.example/v"']),
    );
  });

  it.each(Object.entries(SCHEMAS))('fits the body of %s', (format, schema) => {
    const body = chatBody(format as keyof typeof SCHEMAS, message);
    expect(schema.safeParse(body).error).toBeUndefined();
    expect(JSON.stringify(body).length).toBeLessThan(28_000);
  });

  it('mentions nobody in chats and links into Datadeck alone', () => {
    const { text } = SCHEMAS.slack.parse(chatBody('slack', message));
    for (const [tag] of text.matchAll(/<[^>]*>/g)) expect(tag).toMatch(/^<https:\/\/deck\.example\//);
    const { content } = SCHEMAS.discord.parse(chatBody('discord', message));
    const card = SCHEMAS.teams.parse(chatBody('teams', message)).attachments[0].content.body;
    for (const markdown of [content, ...card.map((block) => block.text)]) {
      const own = markdown.replaceAll(/\]\(<?https:\/\/deck\.example\/[^)]*\)/g, '');
      // Signs of the text itself have a backslash before them.
      expect(own.replaceAll(/\\./gs, '')).not.toMatch(/[@<>`]|\]\(|https?:/);
    }
  });

  it('names at most five rows in the bell, in bounded texts', () => {
    const rows = noticeRowsOf({ ...message.changes, rows: [...rowsOf(text), ...rowsOf(text)] });
    expect(rows).toHaveLength(5);
    for (const row of rows) expect(row.text.length).toBeLessThanOrEqual(500);
  });
});
