import MarkdownIt from 'markdown-it';

/** Longest address of a link, UTF-16 units: one definition may be referred to thousands of times. */
const MAX_ADDRESS = 2000;
const TASK = /^\[([ xX])\](?=\s)/;

const parser = new MarkdownIt({ html: true, linkify: true, breaks: true });
// Addresses that may not be opened are left out of the page, not their texts.
parser.validateLink = (address) => address.length <= MAX_ADDRESS;
// Without a scheme only what begins with www. is a link, as on GitHub: `index.js` is not.
parser.linkify.set({ fuzzyLink: false });
parser.linkify.add('www.', {
  validate(text, position, self) {
    const address = `//www.${text.slice(position, position + MAX_ADDRESS)}`;
    return Math.max(0, self.testSchemaAt(address, '//', 2) - 4);
  },
  normalize: (match) => {
    match.url = `http://${match.raw}`;
  },
});

// A task has a box instead of a bullet. Pages have no elements that ask for input.
parser.core.ruler.after('inline', 'tasks', ({ tokens }) => {
  for (const [index, token] of tokens.entries()) {
    const item = tokens[index - 2];
    const [first] = token.children ?? [];
    const mark = TASK.exec(first?.type === 'text' ? first.content : '');
    if (!first || !mark || item?.type !== 'list_item_open') continue;
    first.content = (mark[1] === ' ' ? '☐' : '☑') + first.content.slice(mark[0].length);
    item.attrSet('style', 'list-style-type:none');
  }
});

/**
 * Converts Markdown, with GitHub's tables, tasks, autolinks and line breaks, to HTML that is not safe yet: it contains the
 * HTML of its author.
 */
export function htmlOfMarkdown(markdown: string): string {
  return parser.render(markdown);
}
