/** What decides whether a part of a mail is its text or a file. */
export interface BodyPart {
  /** In lower case; `multipart/…` for a container. */
  type: string;
  /** Whether the part has a file name. */
  isNamed: boolean;
  /** Whether its disposition is `attachment`. */
  isAttached: boolean;
  /** Whether it is known to have no content but blanks. */
  isBlank?: boolean;
  children: readonly BodyPart[];
}

/** Longest content that may be blank, bytes. */
export const MAX_BLANK_BYTES = 100;

/** A part, and whether it is where a mail has its text: at the beginning, or in an alternative. */
interface Position {
  part: BodyPart;
  isLeading: boolean;
}

const isText = ({ type, isAttached }: BodyPart) => /^text\/(plain|html)$/.test(type) && !isAttached;

/** Returns the places of the leaves in order, without recursion: an outsider chooses the depth. */
function leavesOf(root: BodyPart): Position[] {
  const leaves: Position[] = [];
  const pending: Position[] = [{ part: root, isLeading: true }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { part, isLeading } = next;
    if (!part.type.startsWith('multipart/')) {
      leaves.push(next);
      continue;
    }
    const isAlternative = part.type === 'multipart/alternative';
    const children = part.children.map((child, index) => ({
      part: child,
      isLeading: isAlternative || (isLeading && index === 0),
    }));
    for (const child of children.reverse()) pending.push(child);
  }
  return leaves;
}

/** A type, maybe after a comment or in quotes. */
const TYPE = /^\s*(?:\([^()]{0,200}\)\s*)?["']?([^\s/;,"'=()]+\/[^\s/;,"'=()]+)/;
/** Types whose content is no text. All others that are not text are misspelt, like `plain/text`. */
const NO_TEXT =
  /^(application|audio|chemical|example|font|haptics|image|message|model|multipart|video|x-[^/]*)\//;

/** Returns whether a part may be shown where a mail has neither plain text nor HTML. */
const isOtherText = ({ type, isNamed, isAttached }: BodyPart) =>
  !isNamed && !isAttached && (!NO_TEXT.test(type) || type === 'application/xhtml+xml');

/** Returns the type of a Content-Type header in lower case. One that is missing or invalid means plain text (RFC 2045, 5.2). */
export function typeOf(contentType: string): string {
  return TYPE.exec(contentType.slice(0, 1000))?.[1]?.toLowerCase() ?? 'text/plain';
}

/**
 * Returns the parts that are the text of a mail: plain text and HTML that is not attached. One with a file name is text
 * where the text of a mail is expected (its first part, an alternative), and where the mail has no text without a name.
 * Other types of text count where there is neither plain text nor HTML of more than blanks.
 */
export function bodyTextsOf<Part extends BodyPart>(root: Part): Set<Part> {
  const leaves = leavesOf(root);
  const texts = leaves.filter(({ part }) => isText(part));
  const filled = texts.filter(({ part }) => !part.isBlank);
  const isOnlyNamed = filled.every(({ part }) => part.isNamed);
  const others = leaves.filter(({ part }) => !isText(part) && isOtherText(part));
  const found = texts.filter(({ part, isLeading }) => isOnlyNamed || isLeading || !part.isNamed);
  return new Set((filled.length > 0 || others.length === 0 ? found : others).map(({ part }) => part as Part));
}
