import type { JsonObject } from '../sdk/json.ts';
import { readText } from '../sdk/record-display.ts';
import type { ConversationDefinition, SearchDefinition } from '../sdk/search.ts';
import { storable } from '../sdk/storable.ts';
import type { ColumnDefinition } from '../sdk/table.ts';
import { textOfHtml } from './html.ts';

/** Longest text of HTML that is searched, UTF-16 units; as much as of a plain text. */
const MAX_HTML_TEXT = 65_536;

/** The column with the text of a mail that has only HTML, for its search and excerpts. */
export const HTML_TEXT_COLUMN: ColumnDefinition = { type: 'text', maxLength: MAX_HTML_TEXT };

/** Returns the text of a mail's HTML as one line, cut at a word; null for a mail with plain text or without HTML. */
export function htmlTextOf(mail: JsonObject): string | null {
  if (readText(mail.text).trim() !== '') return null;
  const line = textOfHtml(readText(mail.html)).replaceAll(/\s+/g, ' ').trim();
  if (line.length <= MAX_HTML_TEXT) return storable(line) || null;
  const lastSpace = line.lastIndexOf(' ', MAX_HTML_TEXT);
  return storable(line.slice(0, lastSpace > 0 ? lastSpace : MAX_HTML_TEXT));
}

/** The names of the first two attachments, as a list in JSON. */
const FIRST_FILES = `(case json_typeof(d."attachments") when 'array' then (
  select json_agg(left(coalesce(file->>'filename', ''), 100)) from (
    select file from json_array_elements(d."attachments") file limit 2) first) end)`;

/** What the search of mails needs from the columns of its table. */
interface MailColumns {
  /** `text[]` expression for labels or the mailbox. */
  labels: string;
  /** Boolean expressions. */
  starred: string;
  important: string;
  conversation: ConversationDefinition;
}

/** Returns the text expression for the values of a header, whose name is in lower case. */
function valuesOfHeader(name: string): string {
  return `(select string_agg(left(header->>'value', 1000), ' ')
    from json_array_elements(case json_typeof(d."headers") when 'array' then d."headers" else '[]'::json end) header
    where lower(header->>'name') = '${name}')`;
}

/** The Message-ID of a mail, as other headers write it between angle brackets. */
const MESSAGE_ID = `btrim(left(d."messageId", 1000), '<> ')`;

/**
 * Mails of a conversation name each other: a reply names the mail that it answers, and from the first one on those before it.
 * The header may be long, so its beginning counts; the answered mail has a header of its own.
 */
export const CONVERSATION_BY_HEADERS: ConversationDefinition = {
  ids: `(array[${MESSAGE_ID}] || array(select id[1] from regexp_matches(
    concat_ws(' ', left(d."inReplyTo", 1000), ${valuesOfHeader('references')}), '<([^<>\\s]+)>', 'g') id limit 25))`,
  copyId: MESSAGE_ID,
};

/**
 * Declares the search of an entity whose documents are mails, with the fields that Gmail and IMAP have in common:
 * `subject`, `from`, `to`, `cc`, `messageId`, `inReplyTo`, `headers`, `text`, `snippet` and `attachments`, and the columns `html_text` and `size`.
 */
export function mailSearch({ labels, starred, important, conversation }: MailColumns): SearchDefinition {
  const subject = 'left(d."subject", 2000)';
  const sender = 'search_people(d."from")';
  const files = `search_field(d."attachments", 'filename')`;
  const body = `coalesce(r.html_text, nullif(d."text", ''), d."snippet")`;
  return {
    document:
      '"subject" text, "from" json, "to" json, "cc" json, "messageId" text, "inReplyTo" text, "headers" json, "text" text, "snippet" text, "attachments" json',
    texts: {
      A: subject,
      B: `concat_ws(' ', ${sender}, search_people(d."to"))`,
      C: files,
      D: `left(${body}, ${MAX_HTML_TEXT})`,
    },
    words: {
      from: sender,
      to: `concat_ws(' ', search_people(d."to"), search_people(d."cc"))`,
      cc: 'search_people(d."cc")',
      bcc: valuesOfHeader('bcc'),
      list: valuesOfHeader('list-id'),
      subject,
      filename: files,
    },
    names: {
      label: labels,
      in: labels,
      rfc822msgid: `array[${MESSAGE_ID}]`,
    },
    states: {
      'is:unread': 'r.unread',
      'is:read': 'not r.unread',
      'is:starred': starred,
      'is:important': important,
      'has:attachment': 'r.attachments > 0',
    },
    size: 'r.size',
    person: `coalesce(nullif(r.sender, ''), r.sender_name)`,
    people: 'array[r.sender, r.sender_name]',
    labels,
    parts: `concat_ws(' ', left(d."subject", 200), left(${sender}, 150), left(${files}, 150))`,
    excerpt: body,
    conversation,
    details: `json_build_object('mail', json_build_object('sender', left(coalesce(r.sender_name, ''), 100),
      'isUnread', coalesce(r.unread, false), 'fileCount', coalesce(r.attachments, 0), 'files', coalesce(${FIRST_FILES}, '[]')))`,
  };
}
