import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { textOfHtml } from './message-text.ts';

/** Longest head of a message that is read again without its content headers. */
const LONGEST_HEAD = 256 * 1024;
const EMPTY: Email = { headers: [], headerLines: [], attachments: [] };

/** A part as postal-mime 4.0.0 keeps it, as far as it is read. */
interface MimePart {
  parentNode?: MimePart;
  contentType: { parsed: { value: string; params: Record<string, string> } };
  contentDisposition: { parsed: { value: string; params: Record<string, string> } };
}

interface Texts {
  plain?: { value: string }[];
  html?: { value: string }[];
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>\n' };

function htmlOfText(text: string): string {
  return `<div>${text.trimEnd().replace(/[&<>\n]/g, (char) => ESCAPES[char] ?? char)}</div>`;
}

/**
 * Parses a mail with three differences from postal-mime: attached messages and reports are files and not text, a text with
 * a file name is a file, and a text of one type is turned into the other in linear time. The methods below replace
 * postal-mime's own, which its types do not show.
 */
class MailParser extends PostalMime {
  declare readonly textMap: Map<unknown, Texts>;
  declare readonly textContent: { plain?: string; html?: string };

  constructor() {
    super({ maxRfc822NestingDepth: 0 });
  }

  isInlineTextNode({ contentType, contentDisposition, parentNode }: MimePart): boolean {
    const { value: type, params } = contentType.parsed;
    const { value: disposition, params: more } = contentDisposition.parsed;
    if (disposition === 'attachment' || (type !== 'text/plain' && type !== 'text/html')) return false;
    // The only part of a message is its text, even with a file name.
    return parentNode === undefined || !(more.filename || params.name);
  }

  renderTextContent(): void {
    const all = [...this.textMap.values()];
    const hasText = all.some(({ plain }) => plain);
    const hasHtml = all.some(({ html }) => html);
    const join = (texts: Texts['plain']) => (texts ?? []).map(({ value }) => value).join('\n');
    const textOf = ({ plain, html }: Texts) => (plain ? join(plain) : textOfHtml(join(html)).trim());
    const htmlOf = ({ plain, html }: Texts) => (html ? join(html) : htmlOfText(join(plain)));
    if (hasText) this.textContent.plain = all.map(textOf).join('\n');
    if (hasHtml) this.textContent.html = all.map(htmlOf).join('\n');
  }
}

/** The lines of a head without the headers that say how the body is to be read. */
function plainHead(head: string): string {
  const kept: string[] = [];
  let isKept = true;
  for (const line of head.slice(0, LONGEST_HEAD).split('\r\n')) {
    if (!/^[ \t]/.test(line)) isKept = !/^content-/i.test(line);
    if (isKept) kept.push(line);
  }
  return `${kept.join('\r\n')}\r\n\r\n`;
}

/** Reads a mail, or its headers alone where its body cannot be read. */
export async function parseMail(source: Buffer): Promise<Email> {
  try {
    return await new MailParser().parse(source);
  } catch {
    const head = source.toString('latin1', 0, Math.max(0, source.indexOf('\r\n\r\n')));
    return new MailParser().parse(Buffer.from(plainHead(head), 'latin1')).catch(() => EMPTY);
  }
}

/** Whether people would call a part an attachment: it has a file name, or says that it is one. */
export function isAttachment({
  filename,
  disposition,
}: Pick<Attachment, 'filename' | 'disposition'>): boolean {
  return Boolean(filename) || disposition === 'attachment';
}
