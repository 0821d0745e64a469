import type { SearchDefinition } from './search.ts';

/** What the search of mails needs from the columns of its table. */
interface MailColumns {
  /** `text[]` expression for labels or the mailbox. */
  labels: string;
  /** Boolean expression. */
  starred: string;
}

/**
 * Declares the search of an entity whose documents are mails, with the fields that Gmail and IMAP have in common:
 * `subject`, `from`, `to`, `cc`, `text`, `html`, `snippet` and `attachments`.
 */
export function mailSearch({ labels, starred }: MailColumns): SearchDefinition {
  const subject = 'left(d."subject", 2000)';
  const sender = 'search_people(d."from")';
  const files = `search_field(d."attachments", 'filename')`;
  return {
    document:
      '"subject" text, "from" json, "to" json, "cc" json, "text" text, "html" text, "snippet" text, "attachments" json',
    texts: {
      A: subject,
      B: `concat_ws(' ', ${sender}, search_people(d."to"))`,
      C: files,
      D: `coalesce(nullif(left(d."text", 65536), ''), search_html(left(d."html", 131072)))`,
    },
    words: {
      from: sender,
      to: `concat_ws(' ', search_people(d."to"), search_people(d."cc"))`,
      subject,
      filename: files,
    },
    names: { label: labels, in: labels },
    states: {
      'is:unread': 'r.unread',
      'is:read': 'not r.unread',
      'is:starred': starred,
      'has:attachment': 'r.attachments > 0',
    },
    person: `coalesce(nullif(r.sender, ''), r.sender_name)`,
    people: 'array[r.sender, r.sender_name]',
    labels,
    parts: `concat_ws(' ', left(d."subject", 200), left(${sender}, 150), left(${files}, 150))`,
    excerpt: `coalesce(nullif(d."text", ''), d."snippet")`,
  };
}
