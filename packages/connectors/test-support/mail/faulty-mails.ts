import iconv from 'iconv-lite';

/** A mail with several faults, as a character per byte, and what must be read of it. */
export interface FaultyMail {
  source: string;
  /** Sentences that people must see in the text, the HTML or the subject. */
  sentences: string[];
  /** Names of its files. */
  files: string[];
}

/** What the choices on all axes add to a mail. */
interface Draft {
  headers: string[];
  /** Text of the mail with characters of a script, encoded in a charset. */
  text: string;
  charset: string;
  encoding: string;
  type: string;
  /** Parameters of the type. */
  parameters: string;
  /** Parts beside the text. */
  siblings: string[];
  files: string[];
  boundary: string;
  /** Changes the mail's parts as they are written. */
  writeParts(boundary: string, parts: string[]): string;
  /** Changes the whole mail. */
  finish(source: string): string;
}

type Choice = (draft: Draft) => void;
/** Independent choices, by axis and name. */
type Axes = Record<string, Record<string, Choice>>;

const LATIN = 'Schöne Grüße aus Köln, bis später.';
const bytesOf = (text: string, charset: string) => iconv.encode(text, charset).toString('latin1');

/** Returns a choice of a text that is encoded in a charset, which the mail calls by a name. */
const encodedAs =
  (charset: string, text: string, name = charset): Choice =>
  (draft) => {
    draft.text = text;
    draft.charset = charset;
    draft.parameters = name === '' ? '' : `; charset=${name}`;
  };

const writeParts: Draft['writeParts'] = (boundary, parts) =>
  `${parts.map((part) => `--${boundary}\n${part}\n`).join('')}--${boundary}--\n`;

const quotedPrintable = (bytes: string) =>
  bytes
    .replaceAll(
      /[^\n -<>-~]/g,
      (char) => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .replaceAll(/[^\n=]{50}/g, '$&=\n');
const base64 = (bytes: string) =>
  Buffer.from(bytes, 'latin1').toString('base64').replaceAll(/.{76}/g, '$&\n');

const nothing: Choice = () => undefined;
const header =
  (...lines: string[]): Choice =>
  ({ headers }) => {
    headers.push(...lines);
  };
const withFile =
  (name: string, ...headers: string[]): Choice =>
  ({ siblings, files }) => {
    siblings.push(`${headers.join('\n')}\n\nx`);
    files.push(name);
  };
const parts =
  (change: Draft['writeParts']): Choice =>
  (draft) => {
    draft.writeParts = change;
  };

/** The axes on which mails go wrong independently of each other. */
export const AXES = {
  lineEnds: {
    lf: nothing,
    crlf: (draft) => {
      draft.finish = (source) => source.replaceAll('\n', '\r\n');
    },
    mixed: (draft) => {
      draft.finish = (source) => source.replaceAll(/\n([a-m-])/g, '\r\n$1');
    },
    'cr cr lf': (draft) => {
      draft.finish = (source) => source.replaceAll('\n', '\r\r\n');
    },
  },
  boundary: {
    good: nothing,
    'with odd characters': (draft) => {
      draft.boundary = "=_x'(+):?";
    },
    'without an end': parts((boundary, list) => writeParts(boundary, list).replace(/--[^\n]*--\n$/, '')),
    'with blanks after it': parts((boundary, list) =>
      writeParts(boundary, list).replaceAll(/^(--.*)$/gm, (line) =>
        line.startsWith(`--${boundary}`) ? `${line} \t` : line,
      ),
    ),
    'after a preamble': parts(
      (boundary, list) => `A mail of many parts.\n--${boundary}x\n${writeParts(boundary, list)}`,
    ),
    'before an epilogue': parts((boundary, list) => `${writeParts(boundary, list)}The end.\n`),
    'with an empty part': parts((boundary, list) => writeParts(boundary, [...list, ''])),
    'that ends twice': parts((boundary, list) => `${writeParts(boundary, list)}--${boundary}--\n`),
  },
  headers: {
    good: nothing,
    'a line without a colon': header('odd line', 'X-Odd: 1'),
    'a header twice': header('Subject: second', 'Content-Type: text/html', 'Content-Transfer-Encoding: 8bit'),
    'a folded header': header('X-Odd: 1', '\t2', ' ', '  3'),
    'an empty header': header('X-Odd:', ':', 'X-Odd'),
    'a long header': header(`X-Odd: ${'word '.repeat(3000)}`),
    'eight bits': header('X-Odd: Gr\xfc\xdfe'),
    'a mark of UTF-8': ({ headers }) => {
      headers.unshift('\xef\xbb\xbfX-Odd: 1');
    },
    'a line of an mbox': ({ headers }) => {
      headers.unshift('From bo Sun Mar  1 09:00:00 2026');
    },
  },
  charset: {
    'utf-8': encodedAs('utf-8', `${LATIN} Привет 你好 한글`),
    'utf-8 without a name': encodedAs('utf-8', LATIN, ''),
    'utf-8 as us-ascii': encodedAs('utf-8', LATIN, 'us-ascii'),
    'utf-8 in quotes': encodedAs('utf-8', LATIN, '"utf-8"'),
    'utf-8 of an unknown name': encodedAs('utf-8', LATIN, 'x-odd'),
    'latin-1': encodedAs('iso-8859-1', LATIN),
    'latin-1 without a name': encodedAs('iso-8859-1', LATIN, ''),
    'windows-1252 as latin-1': encodedAs('windows-1252', `„${LATIN}“ – 5 €`, 'iso-8859-1'),
    'windows-1251': encodedAs('windows-1251', 'Привет из Москвы'),
    'koi8-r': encodedAs('koi8-r', 'Привет из Москвы'),
    'code page 850': encodedAs('cp850', LATIN),
    'gbk as gb2312': encodedAs('gbk', '朱镕基，你好', 'gb2312'),
    big5: encodedAs('big5', '東京塔很高'),
    shift_jis: encodedAs('shift_jis', 'こんにちは、東京'),
    'euc-kr': encodedAs('euc-kr', '안녕하세요', 'ks_c_5601-1987'),
    'iso-8859-7': encodedAs('iso-8859-7', 'Καλημέρα κόσμε'),
  },
  encoding: {
    '8bit': nothing,
    'without a name': (draft) => {
      draft.encoding = '';
    },
    binary: (draft) => {
      draft.encoding = 'binary';
    },
    unknown: (draft) => {
      draft.encoding = 'x-odd';
    },
    'quoted-printable': (draft) => {
      draft.encoding = 'quoted-printable';
    },
    'quoted-printable with blanks': (draft) => {
      draft.encoding = 'Quoted-Printable (odd)';
    },
    base64: (draft) => {
      draft.encoding = 'base64';
    },
    'base64 in capitals': (draft) => {
      draft.encoding = ' BASE64 ;';
    },
  },
  type: {
    plain: nothing,
    html: (draft) => {
      draft.type = 'text/html';
    },
    capitals: (draft) => {
      draft.type = 'TEXT/Plain';
    },
    text: (draft) => {
      draft.type = 'text';
    },
    empty: (draft) => {
      draft.type = '';
    },
    unknown: (draft) => {
      draft.type = 'plain/text';
    },
    markdown: (draft) => {
      draft.type = 'text/markdown';
    },
    'a named text': (draft) => {
      draft.parameters += '; name=message.txt';
    },
    flowed: (draft) => {
      draft.parameters += '; format=flowed';
    },
    'no semicolon': (draft) => {
      draft.parameters = draft.parameters.replace(';', '');
    },
  },
  nesting: {
    none: nothing,
    mixed: (draft) => {
      draft.siblings.push('Content-Type: image/png\nContent-ID: <a>\n\nx');
    },
    'a file': withFile(
      'a.pdf',
      'Content-Type: application/pdf; name=a.pdf',
      'Content-Disposition: attachment',
    ),
    'an attached mail': withFile(
      'a.eml',
      'Content-Type: message/rfc822',
      'Content-Disposition: attachment; filename=a.eml\n',
      'Subject: inner',
    ),
    'a nested multipart': withFile(
      'a.png',
      'Content-Type: multipart/mixed; boundary=inner\n',
      '--inner',
      'Content-Type: image/png; name=a.png\n\nx',
      '--inner--',
    ),
    'an open nested multipart': withFile(
      'a.png',
      'Content-Type: multipart/mixed; boundary=outerx\n',
      '--outerx',
      'Content-Type: image/png; name=a.png',
    ),
    'a name in words': withFile(
      'Grüße.pdf',
      'Content-Disposition: attachment; filename="=?iso-8859-1?Q?Gr=FC=DFe?=.pdf"',
    ),
    'a name by RFC 2231': withFile(
      'Grüße.pdf',
      "Content-Disposition: attachment; filename*0*=utf-8''Gr%C3;",
      '\tfilename*1*=%BC%C3%9Fe; filename*2=.pdf',
    ),
    'a name of UTF-8': withFile('Grü.pdf', 'Content-Disposition: attachment; filename="Gr\xc3\xbc.pdf"'),
  },
} as const satisfies Axes;

/** The name of a choice on each axis. */
export type Choices = Record<string, string>;

const encode: Record<string, (bytes: string) => string> = { quoted: quotedPrintable, base64 };

/** Writes the mail with these faults. */
export function writeFaultyMail(choices: Choices): FaultyMail {
  const draft: Draft = {
    headers: [],
    text: '',
    charset: 'utf-8',
    encoding: '8bit',
    type: 'text/plain',
    parameters: '',
    siblings: [],
    files: [],
    boundary: 'outer',
    writeParts,
    finish: (source) => source,
  };
  const axes: Axes = AXES;
  for (const [axis, name] of Object.entries(choices)) axes[axis]?.[name]?.(draft);
  const bytes = bytesOf(`${draft.text}\nThe second line.`, draft.charset);
  const body = encode[/quoted|base64/i.exec(draft.encoding)?.[0].toLowerCase() ?? '']?.(bytes) ?? bytes;
  const description = [`Content-Type: ${draft.type}${draft.parameters}`];
  if (draft.encoding !== '') description.push(`Content-Transfer-Encoding: ${draft.encoding}`);
  const { boundary } = draft;
  const isAlone = draft.siblings.length === 0 && choices.boundary === 'good';
  const whole = isAlone
    ? [...description, ...draft.headers, '', body, '']
    : [
        `Content-Type: multipart/mixed; boundary="${boundary}"`,
        ...draft.headers,
        '',
        draft.writeParts(boundary, [[...description, '', body].join('\n'), ...draft.siblings]),
      ];
  // The mark and the line of an mbox come before all other headers.
  const first = /^(\xef\xbb\xbf|From )/.test(draft.headers[0] ?? '') ? draft.headers.splice(0, 1) : [];
  const head = [...first, 'From: Bo <bo@example.org>', 'Subject: =?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3=9Fe?='];
  const rest = first.length > 0 ? whole.filter((line) => line !== first[0]) : whole;
  return {
    source: draft.finish([...head, ...rest].join('\n')),
    sentences: [draft.text, 'The second line.', 'Grüße'],
    files: draft.files,
  };
}

/** Returns choices in which each pair of choices on two axes occurs; those on the other axes are drawn from a fixed sequence. */
export function* pairsOfChoices(): Generator<Choices> {
  const axes = Object.entries(AXES).map(([axis, choices]) => ({ axis, names: Object.keys(choices) }));
  let state = 1;
  const draw = (names: readonly string[]) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return names[(state >>> 16) % names.length] as string;
  };
  for (const [at, one] of axes.entries())
    for (const other of axes.slice(at + 1))
      for (const name of one.names)
        for (const otherName of other.names) {
          const drawn = Object.fromEntries(axes.map(({ axis, names }) => [axis, draw(names)]));
          yield { ...drawn, [one.axis]: name, [other.axis]: otherName };
        }
}
