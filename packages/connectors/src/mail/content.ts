import type { JsonObject } from '../sdk/json.ts';
import {
  type ReadingDefinition,
  type RecordFile,
  readObjects,
  readText,
  readTexts,
} from '../sdk/record-display.ts';
import { textOfHtml } from './html.ts';

/** What the reading of mails needs to know of its provider. */
interface MailFields {
  /** Field of the document with one label or a list of them. */
  labels: string;
  /** Returns the address of a mail at its provider, null if it has none. */
  urlOf(id: string): string | null;
}

/** Returns the people of a field, which may be one person or a list: `Amy <amy@example.org>`. */
function peopleOf(value: unknown): string[] {
  return readObjects(Array.isArray(value) ? value : [value]).flatMap((person) => {
    const [name, address] = [readText(person.name), readText(person.address)];
    if (name === '' || address === '') return name + address === '' ? [] : [name + address];
    return [`${name} <${address}>`];
  });
}

function fileOf({ filename, mimeType, size }: JsonObject): RecordFile {
  const isSize = typeof size === 'number' && Number.isSafeInteger(size) && size >= 0;
  return { filename: readText(filename), mimeType: readText(mimeType), size: isSize ? size : null };
}

/** Returns a file with its size: `report.pdf (12 kB)`. */
function titleOf({ filename, size }: RecordFile): string {
  const name = filename || 'Without a name';
  return size === null ? name : `${name} (${Math.ceil(size / 1000).toLocaleString('en')} kB)`;
}

const DAY_MS = 86_400_000;
const ARRIVAL = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Returns the arrival if it is on another day than the date, e.g. of imported mails. */
function lateArrival({ date, receivedAt }: JsonObject): string[] {
  const [sent, received] = [Date.parse(readText(date)), Date.parse(readText(receivedAt))];
  return Math.abs(received - sent) >= DAY_MS ? [`${ARRIVAL.format(received)} UTC`] : [];
}

/** Returns the values unless they are the same as the others. */
function unlessSame(values: readonly string[], others: readonly string[]): readonly string[] {
  return values.join() === others.join() ? [] : values;
}

/**
 * Declares the reading of an entity whose documents are mails, with the fields that Gmail and IMAP have in common: `id`,
 * `from`, `to`, `cc`, `replyTo`, `date`, `receivedAt`, `text`, `html`, `truncated` and `attachments`.
 */
export function mailReading({ labels, urlOf }: MailFields): ReadingDefinition {
  return {
    fields: [
      'id',
      'from',
      'to',
      'cc',
      'replyTo',
      'date',
      'receivedAt',
      'text',
      'html',
      'truncated',
      'attachments',
      labels,
    ],
    read(mail) {
      const from = peopleOf(mail.from);
      const label = mail[labels];
      const files = readObjects(mail.attachments).map(fileOf);
      return {
        facts: [
          { title: 'From', values: from },
          { title: 'To', values: peopleOf(mail.to) },
          { title: 'Cc', values: peopleOf(mail.cc) },
          { title: 'Reply to', values: unlessSame(peopleOf(mail.replyTo), from) },
          { title: 'Received', values: lateArrival(mail) },
          { title: 'Attachments', values: files.map(titleOf) },
        ],
        labels: readTexts(Array.isArray(label) ? label : [label]),
        text:
          readText(mail.text).trim() === '' ? textOfHtml(readText(mail.html)).trim() : readText(mail.text),
        textFormat: 'plain',
        html: readText(mail.html) || null,
        isTruncated: mail.truncated === true,
        url: urlOf(readText(mail.id)),
        files,
      };
    },
  };
}
