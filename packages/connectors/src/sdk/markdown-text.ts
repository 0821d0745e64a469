/** Lines that show nothing: fences of code, rules, delimiters of tables and definitions of links. */
const HIDDEN_LINE = /^ {0,3}(?:`{3}|~{3}|[-=*_| :]+$|\[[^\]]{1,200}\]: )/;
/** Marks before the text of a line: quotes, headings, items and tasks. */
const LINE_MARK = /^[ \t]*(?:>|#{1,6}(?=\s)|[-*+](?=\s)|\d{1,9}[.)](?=\s)|\[[ xX]\](?=\s))/;
/** Most marks before one text. */
const MAX_MARKS = 20;
/** A link or an image with its address; the text stays. */
const LINK = /!?\[([^[\]]{0,300})\](?:\([^()\s]{0,500}(?: "[^"]{0,100}")?\)|\[[^[\]]{0,100}\])/g;
const TAG = /<(?:https?:\/\/[^<>\s]{1,500}|\/?[a-z][^<>]{0,500})>/gi;
/** Marks of emphasis, deletion and code; one pattern of them all takes long to be proved linear. */
const STARS = /\*{1,3}(?=\S)|(?<=\S)\*{1,3}/g;
const UNDERSCORES = /(?<![\p{L}\p{N}_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![\p{L}\p{N}_])/gu;
const CODE = /~~|`+/g;

/** Removes comments of HTML; one without an end reaches to the end of the text. */
function withoutComments(text: string): string {
  const [first = '', ...rest] = text.split('<!--');
  return (
    first + rest.map((part) => (part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : '')).join('')
  );
}

function textOfLine(line: string): string {
  if (HIDDEN_LINE.test(line)) return '';
  let text = line;
  for (let count = 0; count < MAX_MARKS && LINE_MARK.test(text); count++) text = text.replace(LINE_MARK, '');
  const isRow = text.trimStart().startsWith('|');
  return isRow ? text.replaceAll('|', ' ') : text;
}

/** Returns the words of Markdown without its marks, for an excerpt. It is not exact: code keeps its lines, not its fences. */
export function textOfMarkdown(markdown: string): string {
  return withoutComments(markdown)
    .split('\n')
    .map(textOfLine)
    .join('\n')
    .replaceAll(LINK, '$1')
    .replaceAll(TAG, (tag) => (/^<https?:/i.test(tag) ? tag.slice(1, -1) : ' '))
    .replaceAll(STARS, '')
    .replaceAll(UNDERSCORES, '')
    .replaceAll(CODE, '');
}
