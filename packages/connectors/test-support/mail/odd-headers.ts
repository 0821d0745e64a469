import { HEAD, HELLO, mail, type OddMail, PDF, parts, plain, withHeader } from './written-mails.ts';

const withSubject = (subject: string) => withHeader(`Subject: ${subject}`);
const withDate = (date: string) => withHeader(`Date: ${date}`);
const withTo = (to: string) => ['From: Bo <bo@example.org>', to, '', HELLO].join('\n');
const withFrom = (from: string) => [`From: ${from}`, '', HELLO].join('\n');
/** Returns a mail with a file whose headers are these. */
const withFile = (...headers: string[]) => parts('mixed', plain(), `${headers.join('\n')}\n\nx`);
const NINE = '2026-03-02T09:00:00.000Z';

const SUBJECTS: OddMail[] = [
  [
    'words split in a character',
    withSubject('=?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3=9Fe?='),
    { subject: 'Grüße' },
  ],
  ['words split in a fold', withSubject('=?utf-8?B?R3LD?=\n =?utf-8?B?vMOfZQ==?='), { subject: 'Grüße' }],
  [
    'words in two charsets',
    withSubject('=?iso-8859-1?Q?Gr=FC=DFe?= =?koi8-r?B?8NLJ18XU?='),
    { subject: 'GrüßeПривет' },
  ],
  ['a word with blanks', withSubject('=?utf-8?Q?Gr=C3=BC=C3=9Fe aus Bonn?='), { subject: 'Grüße aus Bonn' }],
  ['words without blanks around', withSubject('Re:=?utf-8?q?Gr=C3=BC?=!'), { subject: 'Re:Grü!' }],
  ['a word with a language', withSubject('=?utf-8*de?Q?Gr=C3=BC?='), { subject: 'Grü' }],
  ['a word without padding', withSubject('=?utf-8?B?R3LDvMOfZQ?='), { subject: 'Grüße' }],
  ['a word that never ends', withSubject('=?utf-8?Q?Gr=C3=BC'), { subject: '=?utf-8?Q?Gr=C3=BC' }],
  ['a word of ISO-2022-JP', withSubject('=?iso-2022-jp?B?GyRCRWw1fhsoQg==?='), { subject: '東京' }],
  ['a word of an unknown charset', withSubject('=?x-odd?Q?Gr=C3=BC=C3=9Fe?='), { subject: 'Grüße' }],
  ['a word without a charset', withSubject('=??Q?Gr=FC?='), { subject: '=??Q?Gr=FC?=' }],
  ['two subjects', withHeader('Subject: first\nSubject: second'), { subject: 'first' }],
  ['a subject folded by a tab', withSubject('one\n\ttwo'), { subject: 'one\ttwo' }],
  ['a subject in the next line', withSubject('\n one'), { subject: 'one' }],
  ['a name of a header in capitals', withHeader('SUBJECT: one'), { subject: 'one' }],
  ['a blank before the colon', withHeader('Subject : one'), { subject: 'one' }],
  ['no blank after the colon', withHeader('Subject:one'), { subject: 'one' }],
  ['a long subject', withSubject('word '.repeat(2000)), { subject: 'word '.repeat(2000).trim() }],
  ['a NUL in a subject', withSubject('on\0e'), { subject: 'one' }],
  ['a mark of UTF-8 before the headers', `\xef\xbb\xbf${withSubject('one')}`, { subject: 'one', from: 'Bo' }],
  ['a line of blanks in the headers', withHeader('X-Odd: 1\n \nSubject: one'), { subject: 'one' }],
  [
    'a line of blanks after the headers',
    withHeader('Subject: one\n  ').replace('\n\n', '\n'),
    { text: HELLO },
  ],
  ['a line of blanks before paragraphs', `${HEAD.join('\n')}\n \nHello\n\nBo`, { text: 'Hello\nBo' }],
  ['a line without a colon', withHeader('odd line\nSubject: one'), { subject: 'one', text: HELLO }],
  ['an escaped line of an mbox', `>From bo Sun Mar  1 09:00:00 2026\n${mail([], HELLO)}`, { subject: 'odd' }],
];

const PEOPLE: OddMail[] = [
  ['a name in a comment', withFrom('bo@example.org (Bo Smith)'), { from: 'Bo Smith' }],
  ['a comment in an address', withFrom('Bo <bo(home)@example.org>'), { from: 'Bo' }],
  ['an address without a domain', withFrom('Bo <bo>'), { from: 'Bo' }],
  ['a name without an address', withFrom('Bo Smith'), { from: 'Bo Smith' }],
  ['an empty address', withFrom('Bo <>'), { from: 'Bo' }],
  ['a word in quotes', withFrom('"=?utf-8?Q?J=C3=B6rg?=" <j@example.org>'), { from: 'Jörg' }],
  ['an angle that never closes', withFrom('Bo <bo@example.org'), { from: 'Bo' }],
  ['two senders', withFrom('Bo <bo@example.org>, Cy <cy@example.org>'), { from: 'Bo' }],
  [
    'an empty sender before a sender',
    ['From:', 'From: Bo <bo@example.org>', '', HELLO].join('\n'),
    { from: 'Bo' },
  ],
  [
    'a group',
    withTo('To: Team: ada@example.org, cy@example.org;'),
    { to: ['ada@example.org', 'cy@example.org'] },
  ],
  ['an empty group', withTo('To: undisclosed-recipients:;'), { to: [] }],
  ['two headers of recipients', withTo('To: ada@a.org\nTo: cy@a.org'), { to: ['ada@a.org', 'cy@a.org'] }],
  ['semicolons between addresses', withTo('To: ada@a.org; cy@a.org'), { to: ['ada@a.org', 'cy@a.org'] }],
  ['addresses folded', withTo('To: ada@a.org,\n\tcy@a.org,\n'), { to: ['ada@a.org', 'cy@a.org'] }],
  ['an address in quotes', withTo('To: "ada@a.org" <ada@a.org>'), { to: ['ada@a.org'] }],
  ['a route', withTo('To: <@relay.org,@hub.org:ada@a.org>'), { to: ['ada@a.org'] }],
  ['a domain in capitals', withTo('To: Ada@A.ORG'), { to: ['Ada@A.ORG'] }],
];

const DATES: OddMail[] = [
  ['a date in the zone PST', withDate('Mon, 2 Mar 2026 01:00:00 PST'), { date: NINE }],
  ['a date in the zone GMT', withDate('Mon, 2 Mar 2026 09:00:00 GMT'), { date: NINE }],
  ['a date in the zone Z', withDate('Mon, 2 Mar 2026 09:00:00 Z'), { date: NINE }],
  ['a date in the zone -0000', withDate('Mon, 2 Mar 2026 09:00:00 -0000'), { date: NINE }],
  ['a date in an unknown zone', withDate('Mon, 2 Mar 2026 09:00:00 XYZ'), { date: NINE }],
  ['a zone with a colon', withDate('Mon, 2 Mar 2026 10:00:00 +01:00'), { date: NINE }],
  ['a zone after GMT', withDate('Mon, 2 Mar 2026 10:00:00 GMT+0100'), { date: NINE }],
  ['a year of two digits', withDate('02 Mar 26 09:00:00 +0000'), { date: NINE }],
  [
    'a year of two digits before 2000',
    withDate('02 Mar 98 09:00:00 +0000'),
    { date: '1998-03-02T09:00:00.000Z' },
  ],
  ['a year of three digits', withDate('02 Mar 126 09:00:00 +0000'), { date: NINE }],
  ['no seconds', withDate('Mon, 2 Mar 2026 09:00 +0000'), { date: NINE }],
  ['no weekday', withDate('2 Mar 2026 09:00:00 +0000'), { date: NINE }],
  ['a wrong weekday', withDate('Fri, 2 Mar 2026 09:00:00 +0000'), { date: NINE }],
  ['a date of C', withDate('Mon Mar  2 09:00:00 2026'), { date: NINE }],
  ['a date of ISO', withDate('2026-03-02T09:00:00Z'), { date: NINE }],
  ['a date folded', withDate('Mon, 2 Mar 2026\n\t09:00:00 +0000'), { date: NINE }],
  ['a date with blanks', withDate('Mon,  2  Mar  2026  09:00:00  +0000'), { date: NINE }],
  ['a date in capitals', withDate('MON, 2 MAR 2026 09:00:00 +0000'), { date: NINE }],
  ['two dates', withDate('2 Mar 2026 09:00:00 +0000\nDate: 3 Mar 2026 09:00:00 +0000'), { date: NINE }],
  ['a day that no month has', withDate('31 Feb 2026 09:00:00 +0000'), { date: '31 Feb 2026 09:00:00 +0000' }],
  ['an empty date', withDate(''), { date: '' }],
];

const FILES: OddMail[] = [
  ['a name of the type alone', withFile('Content-Type: application/pdf; name=a.pdf'), { files: ['a.pdf'] }],
  [
    'two names',
    withFile('Content-Type: application/pdf; name=b.pdf', 'Content-Disposition: attachment; filename=a.pdf'),
    { files: ['a.pdf'] },
  ],
  [
    'an empty name and a name',
    withFile('Content-Type: application/pdf; name=a.pdf', 'Content-Disposition: attachment; filename=""'),
    { files: ['a.pdf'] },
  ],
  [
    'a file without a name',
    withFile('Content-Type: application/pdf', 'Content-Disposition: attachment'),
    { files: [''] },
  ],
  [
    'a disposition in capitals',
    withFile('CONTENT-DISPOSITION: ATTACHMENT; FILENAME=a.pdf'),
    { files: ['a.pdf'] },
  ],
  [
    'an unknown disposition',
    withFile('Content-Disposition: odd; filename=a.pdf'),
    { text: `${HELLO}`, files: ['a.pdf'] },
  ],
  [
    'a disposition without a semicolon',
    withFile('Content-Disposition: attachment filename=a.pdf'),
    { files: ['a.pdf'] },
  ],
  [
    'an inline image',
    withFile('Content-Type: image/png; name=a.png', 'Content-Disposition: inline'),
    { files: ['a.png'] },
  ],
  ['an inline image without a name', withFile('Content-Type: image/png', 'Content-ID: <a>'), { files: [] }],
  [
    'a name with blanks',
    withFile('Content-Disposition: attachment; filename=my order.pdf'),
    { files: ['my order.pdf'] },
  ],
  [
    'a name without its last quote',
    withFile('Content-Disposition: attachment; filename="a.pdf'),
    { files: ['a.pdf'] },
  ],
  [
    'a name with quotes',
    withFile('Content-Disposition: attachment; filename="a \\"b\\".pdf"'),
    { files: ['a "b".pdf'] },
  ],
  [
    'a name with a path',
    withFile('Content-Disposition: attachment; filename="C:\\temp\\a.pdf"'),
    { files: ['C:\\temp\\a.pdf'] },
  ],
  [
    'a name in percent escapes',
    withFile('Content-Disposition: attachment; filename=Gr%C3.pdf'),
    { files: ['Gr%C3.pdf'] },
  ],
  [
    'a name without a charset',
    withFile("Content-Disposition: attachment; filename*=''Gr%C3%BC.pdf"),
    { files: ['Grü.pdf'] },
  ],
  [
    'both forms of a name',
    withFile("Content-Disposition: attachment; filename=old.pdf; filename*=utf-8''Gr%C3%BC.pdf"),
    { files: ['Grü.pdf'] },
  ],
  [
    'pieces of a name in another order',
    withFile('Content-Disposition: attachment; filename*1="b.pdf"; filename*0="a "'),
    { files: ['a b.pdf'] },
  ],
  [
    'pieces of a name with encoded words',
    withFile('Content-Disposition: attachment; filename*0="=?utf-8?Q?Gr=C3=BC"; filename*1="?=.pdf"'),
    { files: ['Grü.pdf'] },
  ],
  [
    'a name of two words',
    withFile('Content-Disposition: attachment; filename="=?utf-8?B?R3LD?= =?utf-8?B?vC5wZGY=?="'),
    { files: ['Grü.pdf'] },
  ],
  [
    'a name of UTF-8',
    withFile('Content-Disposition: attachment; filename="Gr\xc3\xbc.pdf"'),
    { files: ['Grü.pdf'] },
  ],
  ['the same name twice', parts('mixed', plain(), PDF, PDF), { files: ['order.pdf', 'order.pdf'] }],
  [
    'a name with a NUL',
    withFile('Content-Disposition: attachment; filename="a\0.pdf"'),
    { files: ['a.pdf'] },
  ],
];

/** Odd mails whose oddity is in a header. */
export const ODD_HEADERS: readonly OddMail[] = [...SUBJECTS, ...PEOPLE, ...DATES, ...FILES];
