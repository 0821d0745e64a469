import { charset, HELLO, HTML, mail, type OddMail, parts, plain, typed } from './written-mails.ts';

const encoded = (encoding: string, body: string, type = 'text/plain; charset=utf-8') =>
  typed(type, body, `Content-Transfer-Encoding: ${encoding}`);

/** Base64 in lines of 60 characters. */
const LONG = Buffer.from('word '.repeat(40)).toString('base64').replaceAll(/.{60}/g, '$&\n');
const FOOTER = '_____________\nlist@example.org mailing list';

const ENCODINGS: OddMail[] = [
  ['words called base64', encoded('base64', 'Hello Ada, how are you?'), { text: 'Hello Ada, how are you?' }],
  ['a footer after base64', encoded('base64', `${LONG}\n${FOOTER}`), { text: 'word '.repeat(40).trim() }],
  [
    'a footer after a short line of base64',
    encoded('base64', `${LONG.slice(0, 240)}\n--list--\nThis mail is sponsored.`),
    { text: Buffer.from(LONG.slice(0, 240), 'base64').toString().trim() },
  ],
  ['a footer after padding', encoded('base64', `SGVsbG8gQWRhIQ==\n${FOOTER}`), { text: 'Hello Ada!' }],
  ['base64 with other characters', encoded('base64', 'SGV*sbG!8g\nQWRh'), { text: HELLO }],
  ['base64 without padding', encoded('base64', 'R3LDvMOfZQ'), { text: 'Grüße' }],
  ['base64 in two pieces', encoded('base64', 'SGVsbG8=\nIEFkYQ=='), { text: HELLO }],
  [
    'base64 with blank lines',
    encoded('base64', LONG.replaceAll('\n', '\n\n')),
    { text: 'word '.repeat(40).trim() },
  ],
  ['base64 of lines with CR LF', encoded('base64', 'SGVsbG8NCkFkYQ=='), { text: 'Hello\nAda' }],
  ['base64 of HTML', encoded('base64', Buffer.from(HTML).toString('base64'), 'text/html'), { html: HTML }],
  ['an equals sign at the end', encoded('quoted-printable', 'Hello Ada='), { text: HELLO }],
  ['an equals sign before letters', encoded('quoted-printable', '1 =x 2'), { text: '1 =x 2' }],
  ['a soft break in a character', encoded('quoted-printable', 'Gr=C3=\n=BC=C3=9Fe'), { text: 'Grüße' }],
  ['escaped line ends', encoded('quoted-printable', 'Hello=0D=0AAda'), { text: 'Hello\nAda' }],
  [
    'a long line of quoted-printable',
    encoded('quoted-printable', 'word '.repeat(500)),
    { text: 'word '.repeat(500).trim() },
  ],
  ['quoted-printable that is none', encoded('quoted-printable', 'Gr\xc3\xbc\xc3\x9fe'), { text: 'Grüße' }],
  ['7bit with eight bits', encoded('7bit', 'Gr\xc3\xbc\xc3\x9fe'), { text: 'Grüße' }],
  ['binary', encoded('binary', 'Gr\xc3\xbc\xc3\x9fe'), { text: 'Grüße' }],
  ['an empty encoding', encoded('', HELLO), { text: HELLO }],
  ['an encoding in quotes', encoded('"base64"', 'SGVsbG8gQWRh'), { text: HELLO }],
  ['an encoding with a semicolon', encoded('base64;', 'SGVsbG8gQWRh'), { text: HELLO }],
  ['two encodings', encoded('base64\nContent-Transfer-Encoding: 7bit', 'SGVsbG8gQWRh'), { text: HELLO }],
  [
    'an encoding of a multipart',
    typed('multipart/mixed; boundary=b1', `--b1\n${plain()}\n--b1--`, 'Content-Transfer-Encoding: base64'),
    { text: HELLO },
  ],
  [
    'uuencode as encoding',
    parts(
      'mixed',
      plain(),
      'Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a.pdf\n#86)C\n`\nend',
    ),
    { text: HELLO, files: ['a.pdf'] },
  ],
  ['a text in uuencode', encoded('x-uuencode', 'begin 644 a.txt\n)2&5L;&\\@061A\n`\nend'), { text: HELLO }],
  [
    'uuencode in a text',
    typed('text/plain', 'Hello\nbegin 644 a\n#86)C\nend'),
    { text: 'Hello\nbegin 644 a\n#86)C\nend' },
  ],
  [
    'yEnc in a text',
    typed('text/plain', '=ybegin line=128 size=1 name=a\nk\n=yend size=1'),
    {
      text: '=ybegin line=128 size=1 name=a\nk\n=yend size=1',
    },
  ],
];

const base64 = (name: string, hex: string, text: string, label = name): OddMail => [
  `the charset ${label} in base64`,
  encoded('base64', Buffer.from(hex, 'hex').toString('base64'), `text/plain; charset=${name}`),
  { text },
];
const CHARSETS: OddMail[] = [
  charset('', 'Gr\xc3\xbc\xc3\x9fe', 'Grüße', 'that is empty'),
  charset('""', 'Gr\xc3\xbc\xc3\x9fe', 'Grüße', 'that is empty in quotes'),
  charset('utf8', 'Gr\xc3\xbc\xc3\x9fe', 'Grüße'),
  charset('utf-8 (Unicode)', 'Gr\xc3\xbc\xc3\x9fe', 'Grüße', 'with a comment'),
  charset('utf-8', '\xef\xbb\xbfGr\xc3\xbc', 'Grü', 'utf-8 with a mark'),
  charset('us-ascii', 'Gr\xfc\xdfe', 'Grüße', 'us-ascii with Latin-1'),
  charset('windows-1252', '\x84Gr\xfc\xdfe\x93', '„Grüße“'),
  charset('cp1252', '\x84Gr\xfc\xdfe\x93', '„Grüße“'),
  charset('iso-8859-15', '5 \xa4', '5 €'),
  charset('iso-8859-1', 'Gr\xc3\xbc\xc3\x9fe', 'Grüße', 'iso-8859-1 with UTF-8'),
  charset('windows-1250', '\x8cwiat \xb9', 'Świat ą'),
  charset('windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'),
  charset('iso-8859-5', '\xbf\xe0\xd8\xd2\xd5\xe2', 'Привет'),
  charset('koi8-u', '\xf0\xd2\xc9\xd7\xa6\xd4', 'Привіт'),
  charset('cp866', '\x8f\xe0\xa8\xa2\xa5\xe2', 'Привет'),
  charset('iso-8859-7', '\xca\xe1\xeb\xe7\xec\xdd\xf1\xe1', 'Καλημέρα'),
  charset('windows-1254', 'G\xfcnayd\xfdn', 'Günaydın'),
  charset('iso-8859-8-i', '\xf9\xec\xe5\xed', 'שלום'),
  charset('windows-1256', '\xe3\xd1\xcd\xc8\xc7', 'مرحبا'),
  charset('tis-620', '\xca\xc7\xd1\xca\xb4\xd5', 'สวัสดี'),
  charset('macintosh', 'Gr\x9f\xa7e', 'Grüße'),
  charset('big5', '\xaaF\xa8\xca', '東京'),
  charset('shift_jis', '\x93\x8c\x8b\x9e', '東京'),
  charset('euc-jp', '\xc5\xec\xb5\xfe', '東京'),
  charset('euc-kr', '\xc7\xd1\xb1\xdb', '한글'),
  charset('gb2312', '\xd6\xec\xe9F\xbb\xf9', '朱镕基', 'gb2312 with GBK'),
  charset('gb18030', '\x81\x35\xf4\x37 \xc4\xe3', ' 你'.replace(/^/, '\ue7c7'), 'gb18030 with four bytes'),
  charset('hz-gb-2312', '~{Dc:C~}', '你好'),
  charset('unicode-1-1-utf-7', 'Gr+APwA3w-e', 'Grüße'),
  base64('utf-16', 'fffe470072 00fc00'.replaceAll(' ', ''), 'Grü', 'utf-16 with the mark of little ends'),
  base64('utf-16', 'feff0047007200fc', 'Grü', 'utf-16 with the mark of big ends'),
  base64('utf-16le', '47007200fc00', 'Grü'),
  base64('utf-16be', '0047007200fc', 'Grü'),
];

const flowed = (parameters: string, text: string) => typed(`text/plain; format=flowed${parameters}`, text);
const TEXTS: OddMail[] = [
  ['stuffed blanks', flowed('', ' From here\n > no quote'), { text: 'From here\n> no quote' }],
  [
    'flowed lines in quoted-printable',
    encoded('quoted-printable', 'one=20\ntwo', 'text/plain; format=flowed'),
    { text: 'one two' },
  ],
  [
    'flowed lines in capitals',
    typed('text/plain; FORMAT=FLOWED; DELSP=YES', 'one \ntwo'),
    { text: 'onetwo' },
  ],
  ['deleted blanks in quotes', flowed('; delsp=yes', '> one \n> two'), { text: '> onetwo' }],
  ['fixed lines', typed('text/plain; format=fixed', 'one \ntwo'), { text: 'one \ntwo' }],
  ['a NUL in a text', typed('text/plain', 'Hel\0lo'), { text: 'Hello' }],
  ['line ends of CR', mail([], 'Hello\nAda').replaceAll('\n', '\r'), { text: 'Hello\nAda', subject: 'odd' }],
  ['line ends of CR CR LF', mail([], 'Hello\nAda').replaceAll('\n', '\r\r\n'), { text: 'Hello\nAda' }],
  ['a very long line', typed('text/plain', 'word '.repeat(5000)), { text: 'word '.repeat(5000).trim() }],
  [
    'a blank text beside HTML',
    parts('alternative', plain('', ' '), `Content-Type: text/html\n\n${HTML}`),
    { html: HTML },
  ],
  [
    'a text that quotes headers',
    typed('text/plain', 'Subject: inner\nFrom: bo\n\nHello'),
    { text: 'Subject: inner\nFrom: bo\nHello' },
  ],
  ['dots of SMTP', typed('text/plain', '..\n.hidden\nHello'), { text: '..\n.hidden\nHello' }],
  [
    'a From line in a text',
    typed('text/plain', '>From here\nFrom there'),
    { text: '>From here\nFrom there' },
  ],
];

/** Odd mails whose oddity is in the encoding of a text. */
export const ODD_TEXTS: readonly OddMail[] = [...ENCODINGS, ...CHARSETS, ...TEXTS];
