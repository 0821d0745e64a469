/** Mails whose HTML costs a browser's parser or layout far more time than its length suggests, or that hides what it does. */
interface HostileMail {
  name: string;
  html: string;
}

const FORMATTING = 'a b big code em font i nobr s small strike strong tt u'.split(' ');
const CARRIERS: Readonly<Record<string, string>> = {
  paragraphs: '<p>x',
  'closed paragraphs': '<p>x</p>',
  'list items': '<li>x',
  blocks: '<div>x</div>',
  tables: '<table><tr><td>x',
  'misplaced texts': '<table>x</table>',
  rows: '<table><tr>x<td>',
  headings: '<h1>x<h2>',
  buttons: '<button>x',
  objects: '<object>x</object>',
};
const WORDS = [
  ...FORMATTING,
  ...'p div ul li dl dd dt h1 pre hr br img span address table caption col colgroup tbody tr td th'.split(
    ' ',
  ),
  ...'form button select option textarea template svg math style script title xmp plaintext noscript html body'.split(
    ' ',
  ),
];
const TEXTS = [
  'x',
  ' ',
  '\n',
  '&amp;',
  '&lt;script&gt;',
  '"',
  '<',
  '<!--',
  '-->',
  ']]>',
  '<![CDATA[',
  '\0',
  '\u00a0',
  '💥',
];
const ATTRIBUTES = [
  'onclick=alert(1)',
  'style="color:red"',
  'style="background:u\\72 l(//x.example)"',
  'href=javascript:alert(1)',
  'href="https://x.example/?a=1&amp;b"',
  'src=//x.example/a',
  "title='\"><script>'",
  'id=a name=b class=c',
  'colspan=1000 rowspan=65534',
  '/',
  '"',
];

/** Returns a sequence of numbers below a limit, which depends on the seed alone (mulberry32). */
export function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Returns tags, attributes and texts in a random order. */
export function randomHtml(seed: number, tokens: number): string {
  const random = randomNumbers(seed);
  const pick = (values: readonly string[]) => values[random(values.length)] ?? '';
  let html = '';
  for (let count = 0; count < tokens; count++) {
    const kind = random(10);
    if (kind < 4) html += `<${pick(WORDS)}>`;
    else if (kind < 5) html += `<${pick(WORDS)} ${pick(ATTRIBUTES)} ${pick(ATTRIBUTES)}>`;
    else if (kind < 8) html += `</${pick(WORDS)}>`;
    else html += pick(TEXTS);
  }
  return html;
}

/** Where formatting elements are opened: at the top, or in a block whose end makes a browser open them again. */
const PLACES = ['', '<p>', '<div><li>', '<table><tr><td><p>'];

/** Each formatting element, opened often with other attributes and never closed, before many of each carrier. */
function* multiplied(repeats: number): Generator<HostileMail> {
  for (const name of FORMATTING) {
    const opened = Array.from({ length: 400 }, (_, index) => `<${name} title=${index}>`).join('');
    for (const [carrier, html] of Object.entries(CARRIERS)) {
      for (const place of PLACES)
        yield {
          name: `${place}unclosed ${name} before ${carrier}`,
          html: place + opened + html.repeat(repeats),
        };
      const mixed = Array.from({ length: repeats }, (_, index) => `<${name} title=${index}>${html}`).join('');
      yield { name: `unclosed ${name} in ${carrier}`, html: mixed };
      yield { name: `${name} that ends in ${carrier}`, html: `<${name}>${html}</${name}>`.repeat(repeats) };
    }
  }
}

function* large(): Generator<HostileMail> {
  const numbers = Array.from({ length: 15_000 }, (_, index) => index);
  yield {
    name: 'thousands of attributes',
    html: `<p ${numbers.map((n) => `a${n}=x onclick=y title=${n}`).join(' ')}>x`,
  };
  yield {
    name: 'a long attribute',
    html: `<a href="https://x.example/${'a'.repeat(400_000)}" title="${'"'.repeat(9)}">x`,
  };
  yield {
    name: 'many styles',
    html: numbers
      .slice(0, 5000)
      .map((n) => `<p style="margin:${n}px;color:#${n % 10}00">`)
      .join(''),
  };
  for (const name of [
    'div',
    'blockquote',
    'span',
    'table',
    'table><tr><td',
    'ul><li',
    'b',
    'svg',
    'template',
    'select',
  ])
    yield { name: `deep ${name}`, html: `<${name}>x`.repeat(20_000) };
  for (const name of ['p', 'b', 'div', 'br', 'table', 'body'])
    yield { name: `end tags of ${name}`, html: `<i>${`</${name}>`.repeat(40_000)}` };
  for (const text of ['<', '<a', '</', '<!--', '<![CDATA[', '<a b="', '&', '&#', '<p/', "<a '"])
    yield { name: `repeated ${text}`, html: text.repeat(40_000) };
}

/** Returns all hostile mails, random ones at the end. @param repeats number of blocks after formatting elements */
export function* hostileMails(repeats: number): Generator<HostileMail> {
  yield* multiplied(repeats);
  yield* large();
  for (let seed = 1; seed <= 300; seed++)
    yield { name: `random tags ${seed}`, html: randomHtml(seed, 10 + seed * 4) };
}
