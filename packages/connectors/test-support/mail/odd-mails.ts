import { ODD_HEADERS } from './odd-headers.ts';
import { ODD_STRUCTURES } from './odd-structures.ts';
import { ODD_TEXTS } from './odd-texts.ts';
import {
  charset,
  HEAD,
  HELLO,
  HTML,
  html,
  inner,
  mail,
  type OddMail,
  PDF,
  parts,
  plain,
  typed,
  withHeader,
} from './written-mails.ts';

const NAMED: OddMail[] = [
  [
    'a named alternative',
    parts('alternative', plain('; name=body.txt'), html('; name=body.html')),
    { text: HELLO, html: HTML, files: [] },
  ],
  [
    'named HTML only, with a file',
    parts('mixed', html('; name=message.htm\nContent-Disposition: inline'), PDF),
    { text: '', html: HTML, files: ['order.pdf'] },
  ],
  [
    'a named text in related',
    parts('related', html('; name=a.html'), 'Content-Type: image/png; name=a.png\n\nx'),
    { html: HTML, files: ['a.png'] },
  ],
  [
    'a named text first in mixed',
    parts('mixed', plain('; name=body.txt'), PDF),
    { text: HELLO, files: ['order.pdf'] },
  ],
  [
    'a named text after a text',
    parts('mixed', plain(), plain('; name=log.txt', 'log')),
    { text: HELLO, files: ['log.txt'] },
  ],
  [
    'an attached text',
    parts('mixed', plain(), plain('\nContent-Disposition: attachment; filename=log.txt', 'log')),
    { text: HELLO, files: ['log.txt'] },
  ],
  ['a mail that is a named text', typed('text/plain; name=note.txt'), { text: HELLO, files: [] }],
  [
    'a mail that is an attached text',
    typed('text/plain', 'log', 'Content-Disposition: attachment; filename=log.txt'),
    { text: '', files: ['log.txt'] },
  ],
  [
    'alternatives in related in mixed',
    parts('mixed', inner('related', plain(), 'Content-Type: image/png\nContent-ID: <a>\n\nx'), PDF),
    { text: HELLO, files: ['order.pdf'] },
  ],
];

const TYPES: OddMail[] = [
  ['no type', mail([], HELLO), { text: HELLO, html: '' }],
  ['the type text', typed('text'), { text: HELLO }],
  ['an empty type', typed(''), { text: HELLO }],
  ['a type of blanks and a parameter', typed(' ; charset=utf-8'), { text: HELLO }],
  ['an unknown subtype of text', typed('text/$email_type; charset=iso-8859-1'), { text: HELLO }],
  ['markdown', typed('text/markdown; charset=utf-8', '# Hello'), { text: '# Hello' }],
  ['enriched text', typed('text/enriched', '<bold>Hello</bold>'), { text: '<bold>Hello</bold>' }],
  ['a type without a semicolon', typed('text/plain charset=utf-8'), { text: HELLO }],
  ['a type in capitals', typed('TEXT/HTML; CHARSET=UTF-8', HTML), { html: HTML, text: '' }],
  ['a type with a comment', typed('text/html (really); charset=utf-8', HTML), { html: HTML }],
  ['a type in quotes', typed('"text/plain"'), { text: HELLO }],
  ['two types', typed('text/plain', HELLO, 'Content-Type: text/html'), { text: HELLO, html: '' }],
  [
    'a calendar alone',
    typed('text/calendar; method=REQUEST', 'BEGIN:VCALENDAR\nEND:VCALENDAR'),
    { text: 'BEGIN:VCALENDAR\nEND:VCALENDAR' },
  ],
  [
    'a calendar beside a text',
    parts('alternative', plain(), 'Content-Type: text/calendar\n\nBEGIN:VCALENDAR'),
    { text: HELLO, files: [] },
  ],
  ['a folded type', typed('text/html;\n charset=utf-8', HTML), { html: HTML }],
  ['a body without MIME-Version', typed('text/html', HTML), { html: HTML }],
  [
    'an unknown multipart',
    parts('x-odd', plain(), html()),
    { html: HTML.replace(/^/, '<div>Hello Ada</div>\n') },
  ],
  ['a multipart without a boundary', typed('multipart/mixed'), { text: HELLO }],
  ['an empty body', typed('text/plain', ''), { text: '', html: '' }],
];

const STRUCTURES: OddMail[] = [
  [
    'no blank line before a boundary',
    [...HEAD, 'Content-Type: multipart/mixed; boundary=x1', '--x1', plain(), '--x1--'].join('\n'),
    { text: HELLO },
  ],
  ['a part without headers or gap', parts('mixed', 'Hello\nHow are you?'), { text: 'Hello\nHow are you?' }],
  [
    'a part of paragraphs without headers',
    parts('mixed', 'Hello\n\nHow are you?'),
    { text: 'Hello\nHow are you?' },
  ],
  ['a header without a colon', `${HEAD.join('\n')}\nodd line\n\n${HELLO}\n`, { text: HELLO }],
  ['a mail without headers', `Hello\nHow are you?\n`, { text: 'Hello\nHow are you?', subject: '' }],
  [
    'the first line of an mbox',
    `From bo Sun Mar  1 09:00:00 2026\n${mail([], HELLO)}`,
    { text: HELLO, subject: 'odd' },
  ],
  ['a part with a gap only', parts('mixed', '\nHello'), { text: 'Hello' }],
  [
    'a part with no blank line after its headers',
    parts('mixed', 'Content-Type: text/plain\nHello Ada'),
    { text: HELLO },
  ],
  ['no end boundary', typed('multipart/mixed; boundary=b1', `--b1\n${plain()}`), { text: HELLO }],
  [
    'text before and after the parts',
    typed('multipart/mixed; boundary=b1', `Old reader?\n--b1\n${plain()}\n--b1--\nThe end.`),
    { text: HELLO },
  ],
  [
    'blanks after boundaries',
    typed('multipart/mixed; boundary=b1', `--b1  \n${plain()}\n--b1-- `),
    { text: HELLO },
  ],
  [
    'a boundary in quotes with blanks',
    typed('multipart/mixed; boundary="b 1"', `--b 1\n${plain()}\n--b 1--`),
    { text: HELLO },
  ],
  [
    'a boundary that begins another one',
    typed('multipart/mixed; boundary=b1', `--b1\n${plain('', 'Hello\n--b1x\nAda')}\n--b1--`),
    { text: 'Hello\n--b1x\nAda' },
  ],
  ['two texts', parts('mixed', plain(), plain('', 'Bye')), { text: `${HELLO}\nBye` }],
  [
    'a text and HTML that is no alternative',
    parts('mixed', plain(), html('', '<p>Bye</p>')),
    { text: `${HELLO}\nBye`, html: '<div>Hello Ada</div>\n<p>Bye</p>' },
  ],
  [
    'HTML and a footer',
    parts('mixed', html(), plain('', 'Footer')),
    { text: `${HELLO}\nFooter`, html: `${HTML}\n<div>Footer</div>` },
  ],
  [
    'an alternative and a footer',
    parts('mixed', inner('alternative', plain(), html()), plain('', 'Footer')),
    { text: `${HELLO}\nFooter`, html: `${HTML}\n<div>Footer</div>` },
  ],
  [
    'an attached mail',
    parts(
      'mixed',
      plain(),
      'Content-Type: message/rfc822\nContent-Disposition: attachment; filename=a.eml\n\nSubject: inner\n\nInner',
    ),
    { text: HELLO, files: ['a.eml'] },
  ],
  ['headers of spam filters before From', `X-Odd: 1\n${mail([], HELLO)}`, { text: HELLO }],
  ['line ends of CR LF', mail([], 'Hello\nAda').replaceAll('\n', '\r\n'), { text: 'Hello\nAda' }],
  ['mixed line ends', mail([], 'Hello\r\nAda\nBo'), { text: 'Hello\nAda\nBo' }],
];

const ENCODINGS: OddMail[] = [
  [
    'quoted-printable',
    typed(
      'text/plain; charset=utf-8',
      'Gr=C3=BC=C3=9Fe =\naus Bonn',
      'Content-Transfer-Encoding: quoted-printable',
    ),
    { text: 'Grüße aus Bonn' },
  ],
  [
    'blanks after soft line breaks',
    typed('text/plain', 'one =  \ntwo', 'Content-Transfer-Encoding: quoted-printable'),
    { text: 'one two' },
  ],
  [
    'invalid escapes',
    typed('text/plain', '100 =% =zz', 'Content-Transfer-Encoding: quoted-printable'),
    { text: '100 =% =zz' },
  ],
  [
    'lower-case escapes',
    typed('text/plain; charset=utf-8', 'Gr=c3=bc', 'Content-Transfer-Encoding: QUOTED-PRINTABLE'),
    { text: 'Grü' },
  ],
  [
    'base64',
    typed('text/plain; charset=utf-8', 'R3LDvMOfZQ==', 'Content-Transfer-Encoding: base64'),
    { text: 'Grüße' },
  ],
  [
    'base64 with line ends',
    typed('text/plain', 'SGVs\nbG8g\nQWRh', 'Content-Transfer-Encoding: Base64 '),
    { text: HELLO },
  ],
  ['an unknown encoding', typed('text/plain', HELLO, 'Content-Transfer-Encoding: 9bit'), { text: HELLO }],
  [
    'an encoding with a comment',
    typed('text/plain', 'SGVsbG8gQWRh', 'Content-Transfer-Encoding: (odd) base64'),
    { text: HELLO },
  ],
];

const CHARSETS: OddMail[] = [
  charset('cp850', 'Gr\x81\xe1e', 'Grüße'),
  charset('cp-850', 'Gr\x81\xe1e', 'Grüße'),
  charset('ibm437', '\x80\x87 caf\x82', 'Çç café'),
  charset('iso-2022-kr', '\x1b$)C\x0eGQ1[\x0f', '한글'),
  charset('iso-2022-jp', '\x1b$BEl5~\x1b(B', '東京'),
  charset('koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4', 'Привет'),
  charset('ks_c_5601-1987', '\xc7\xd1\xb1\xdb', '한글'),
  charset('gb2312', '\xc4\xe3\xba\xc3', '你好'),
  charset('utf-7', 'Gr+APwA3w-e', 'Grüße'),
  charset('us-ascii', 'Gr\xc3\xbc\xc3\x9fe', 'Grüße', 'us-ascii with UTF-8'),
  charset('utf-8', 'Sch\xf6ne Gr\xfc\xdfe', 'Schöne Grüße', 'utf-8 with Latin-1'),
  charset('x-klingon', 'Gr\xfc\xdfe', 'Grüße'),
  charset('"utf-8"', 'Gr\xc3\xbc\xc3\x9fe', 'Grüße', 'in quotes'),
  charset("'iso-8859-2'", 'Wa\xb3\xeasa', 'Wałęsa', 'in single quotes'),
  charset('iso-8859-1', '\x84Gr\xfc\xdfe\x93 5 \x80', '„Grüße“ 5 €', 'iso-8859-1 with windows-1252'),
];

const HEADERS: OddMail[] = [
  [
    'a subject of Latin-1',
    [
      ...HEAD.slice(0, 3),
      'Subject: Gr\xfc\xdfe',
      'Content-Type: text/plain; charset=iso-8859-1',
      '',
      'Sch\xf6n',
    ].join('\n'),
    { subject: 'Grüße', text: 'Schön' },
  ],
  ['a subject of UTF-8', withHeader('Subject: Gr\xc3\xbc\xc3\x9fe'), { subject: 'Grüße' }],
  ['a subject in code page 850', withHeader('Subject: =?cp850?Q?Gr=81=E1e?='), { subject: 'Grüße' }],
  [
    'a subject that splits characters',
    withHeader('Subject: =?utf-8?B?R3LD?= =?utf-8?B?vMOfZQ==?='),
    { subject: 'Grüße' },
  ],
  ['a folded subject', withHeader('Subject: one\n two'), { subject: 'one two' }],
  ['a subject of blanks', withHeader('Subject:   '), { subject: '' }],
  ['no subject', [...HEAD.slice(0, 3), '', HELLO].join('\n'), { subject: '' }],
  [
    'a name in encoded words',
    [`From: =?iso-8859-2?Q?Wa=B3=EAsa?= <lech@example.org>`, '', HELLO].join('\n'),
    { from: 'Wałęsa' },
  ],
  ['a name of Latin-1', ['From: J\xf6rg <j@example.org>', '', HELLO].join('\n'), { from: 'Jörg' }],
  [
    'a file name in code page 850',
    parts('mixed', plain(), PDF.replaceAll('order.pdf', '"=?cp850?Q?Gr=81=E1e?=.pdf"')),
    { files: ['Grüße.pdf'] },
  ],
  [
    'a file name by RFC 2231',
    parts('mixed', plain(), PDF.replace('filename=order.pdf', "filename*=iso-8859-1''Gr%FC%DFe.pdf")),
    { files: ['Grüße.pdf'] },
  ],
  [
    'a file name in pieces',
    parts(
      'mixed',
      plain(),
      PDF.replace('filename=order.pdf', "filename*0*=utf-8''Gr%C3; filename*1*=%BC.pdf"),
    ),
    { files: ['Grü.pdf'] },
  ],
  [
    'a file name with a semicolon',
    parts('mixed', plain(), PDF.replaceAll('order.pdf', '"a;b.pdf"')),
    { files: ['a;b.pdf'] },
  ],
  [
    'a file name of Latin-1',
    parts('mixed', plain(), PDF.replaceAll('order.pdf', '"Gr\xfc\xdfe.pdf"')),
    { files: ['Grüße.pdf'] },
  ],
  [
    'a date without a zone',
    withHeader('Date: Mon, 02 Mar 2026 09:00:00'),
    { date: '2026-03-02T09:00:00.000Z' },
  ],
  ['a date that is none', withHeader('Date: see attachment 5'), { date: 'see attachment 5' }],
  [
    'a date with a comment',
    withHeader('Date: Mon, 2 Mar 2026 10:00:00 +0100 (CET)'),
    { date: '2026-03-02T09:00:00.000Z' },
  ],
  [
    'a date in an obsolete zone',
    withHeader('Date: 2 Mar 26 04:00:00 EST'),
    { date: '2026-03-02T09:00:00.000Z' },
  ],
  ['no date', [...HEAD.slice(0, 2), '', HELLO].join('\n'), { date: '' }],
];

const flowed = (parameters: string, text: string) => typed(`text/plain; format=flowed${parameters}`, text);
const FLOWED: OddMail[] = [
  ['flowed lines', flowed('', 'Yes, they are \nattached.'), { text: 'Yes, they are attached.' }],
  ['flowed quotes', flowed('', '> one \n> two\n>> deeper \n>> still\n> back'), {}],
  [
    'flowed lines with deleted blanks',
    flowed('; delsp=yes', 'Zusammen \narbeit'),
    { text: 'Zusammenarbeit' },
  ],
  ['a signature in flowed lines', flowed('', 'Bye\n-- \nBo'), { text: 'Bye\n-- \nBo' }],
];

/** Odd mails of real senders, by kind. */
export const ODD_MAILS: readonly OddMail[] = [
  ...ODD_HEADERS,
  ...ODD_TEXTS,
  ...ODD_STRUCTURES,
  ...NAMED,
  ...TYPES,
  ...STRUCTURES,
  ...ENCODINGS,
  ...CHARSETS,
  ...HEADERS,
  ...FLOWED,
];
