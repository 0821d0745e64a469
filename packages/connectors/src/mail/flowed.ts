/** Joins the lines of a text in format=flowed (RFC 3676). Quoted paragraphs begin with one `>` for each level. */
export function unflow(text: string, isSpaceDeleted: boolean): string {
  const lines: string[] = [];
  let openDepth = -1;
  let paragraph: string[] = [];
  const close = () => {
    if (paragraph.length > 0) lines.push(paragraph.join(''));
    paragraph = [];
    openDepth = -1;
  };
  for (const line of text.split(/\r?\n/)) {
    let depth = 0;
    while (line[depth] === '>') depth++;
    // A space after the quote marks, or at the beginning, is stuffed.
    const content = line.slice(line[depth] === ' ' ? depth + 1 : depth);
    const isSignature = content === '-- ';
    if (depth !== openDepth || isSignature) close();
    if (paragraph.length === 0 && depth > 0) paragraph.push('>'.repeat(depth), ' ');
    const isFlowed = content.endsWith(' ') && !isSignature;
    paragraph.push(isFlowed && isSpaceDeleted ? content.slice(0, -1) : content);
    openDepth = depth;
    if (!isFlowed) close();
  }
  close();
  return lines.join('\n');
}
