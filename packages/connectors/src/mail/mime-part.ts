import { type BodyPart, typeOf } from './body-texts.ts';
import { readParameters } from './parameters.ts';

/** A header of a mail or part: its unfolded value, in which words may be encoded (RFC 2047). */
export interface MailHeader {
  name: string;
  value: string;
}

/** A part of a mail, or the mail itself, as both mail connectors read it. */
export interface MimePart extends BodyPart {
  headers: readonly MailHeader[];
  /** Parameters of the type, by name in lower case: `charset`, `format`, `boundary`. */
  parameters: ReadonlyMap<string, string>;
  /** Empty for a part without a file name. */
  filename: string;
  children: readonly MimePart[];
  /** Returns the bytes without their transfer encoding; those of a text with LF as line ends. */
  read(): Uint8Array;
  /** Returns the bytes of a file without their transfer encoding, with its own line ends. Default: `read`. */
  readFile?(): Uint8Array;
  /** Whether the source ends before a delimiter ends the part, so that more of the part may be missing. */
  isOpen?: boolean;
  /** Bytes of the content, if known without reading it. */
  size?: number;
  /** Whether the provider may have converted the text to UTF-8 in spite of its declared charset. */
  isConverted?: boolean;
  /** The provider's id of the content, if it is to be fetched on its own. */
  contentId?: string;
  /** The provider's id of the part. */
  id?: string;
}

/** Returns the value of the first header with a name in lower case. */
export function headerOf(headers: readonly MailHeader[], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value;
}

/** What the headers of a part say about it. */
export type PartDescription = Pick<MimePart, 'type' | 'parameters' | 'filename' | 'isNamed' | 'isAttached'>;

/** Describes a part by its headers. @param defaultType type of a part without a Content-Type */
export function describePart(headers: readonly MailHeader[], defaultType = 'text/plain'): PartDescription {
  const type = headerOf(headers, 'content-type');
  const disposition = headerOf(headers, 'content-disposition') ?? '';
  const parameters = readParameters(type ?? '');
  const filename = readParameters(disposition).get('filename') || parameters.get('name') || '';
  return {
    type: type === undefined ? defaultType : typeOf(type),
    parameters,
    filename,
    isNamed: filename !== '',
    isAttached: /^\s*"?attachment\b/i.test(disposition),
  };
}

/** A part, and the outermost `multipart/alternative` that contains it. */
interface PartWithAlternative {
  part: MimePart;
  alternative?: MimePart;
}

/** Returns all parts, each before its children, without recursion: an outsider chooses the depth. */
export function partsWithAlternatives(root: MimePart): PartWithAlternative[] {
  const found: PartWithAlternative[] = [];
  const pending: PartWithAlternative[] = [{ part: root }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { part, alternative } = next;
    found.push(next);
    const outer = alternative ?? (part.type === 'multipart/alternative' ? part : undefined);
    for (const child of part.children.toReversed())
      pending.push({ part: child, ...(outer ? { alternative: outer } : {}) });
  }
  return found;
}
