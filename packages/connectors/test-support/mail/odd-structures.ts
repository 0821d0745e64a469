import { HELLO, HTML, html, inner, type OddMail, PDF, parts, plain, typed } from './written-mails.ts';

const MIXED = 'multipart/mixed; boundary=b1';
const body = (...lines: string[]) => lines.join('\n');
const file = (type: string, name: string) => `Content-Type: ${type}; name=${name}\n\nx`;

const BOUNDARIES: OddMail[] = [
  [
    'inner boundaries that begin like the outer one',
    typed(
      MIXED,
      body('--b1', inner('alternative', plain(), html()).replaceAll('c1', 'b1b1'), '--b1', PDF, '--b1--'),
    ),
    { text: HELLO, html: HTML, files: ['order.pdf'] },
  ],
  [
    'an outer boundary that begins like the inner one',
    typed(
      'multipart/mixed; boundary=b1b1',
      body('--b1b1', inner('alternative', plain(), html()).replaceAll('c1', 'b1'), '--b1b1', PDF, '--b1b1--'),
    ),
    { text: HELLO, html: HTML, files: ['order.pdf'] },
  ],
  [
    'no end of the inner multipart',
    typed(
      MIXED,
      body('--b1', inner('alternative', plain(), html()).replace('--c1--', ''), '--b1', PDF, '--b1--'),
    ),
    { text: HELLO, html: HTML, files: ['order.pdf'] },
  ],
  ['an empty boundary', typed('multipart/mixed; boundary=""', HELLO), { text: HELLO }],
  ['two boundaries', typed(`${MIXED}; boundary=x`, body('--b1', plain(), '--b1--')), { text: HELLO }],
  [
    'a boundary with odd characters',
    typed(
      `multipart/mixed; boundary="----=_(b'+_,-./:=?1)"`,
      body(`------=_(b'+_,-./:=?1)`, plain(), `------=_(b'+_,-./:=?1)--`),
    ),
    { text: HELLO },
  ],
  [
    'a boundary with a colon and no line before it',
    typed('multipart/mixed; boundary="b:1"', '')
      .replace('\n\n', '\n')
      .concat(body('--b:1', plain(), '--b:1--')),
    { text: HELLO },
  ],
  ['a boundary with a comment', typed(`${MIXED} (odd)`, body('--b1', plain(), '--b1--')), { text: HELLO }],
  [
    'a boundary in capitals',
    typed('multipart/mixed; BOUNDARY=b1', body('--b1', plain(), '--b1--')),
    { text: HELLO },
  ],
  [
    'a boundary after a tab without a semicolon',
    typed('multipart/mixed\n\tboundary=b1', body('--b1', plain(), '--b1--')),
    { text: HELLO },
  ],
  ['a wrong boundary', typed(MIXED, body('--x', HELLO, '--x--')), { text: body('--x', HELLO, '--x--') }],
  [
    'boundaries without line ends before',
    typed(MIXED, body('--b1', plain('', `${HELLO}--b1--`))),
    { text: `${HELLO}--b1--` },
  ],
  [
    'a boundary of a text',
    typed('text/plain; boundary=b1', body('--b1', HELLO)),
    { text: body('--b1', HELLO) },
  ],
  ['the end twice', typed(MIXED, body('--b1', plain(), '--b1--', '--b1--')), { text: HELLO }],
  [
    'parts after the end',
    typed(MIXED, body('--b1', plain(), '--b1--', '--b1', PDF, '--b1--')),
    { text: HELLO, files: [] },
  ],
  ['empty parts', typed(MIXED, body('--b1', '--b1', '', '--b1', plain(), '--b1--')), { text: HELLO }],
  ['a part of headers alone', parts('mixed', 'Content-Type: text/plain', plain()), { text: HELLO }],
  [
    'boundaries with CR LF',
    typed(MIXED, body('--b1', plain(), '--b1--')).replaceAll('--b1\n', '--b1\r\n'),
    { text: HELLO },
  ],
  ['a boundary in a header', parts('mixed', `X-Odd: 1\n--b1\n${plain()}`), { text: HELLO }],
];

const CONTAINERS: OddMail[] = [
  [
    'a digest',
    parts('mixed', plain(), inner('digest', '\nSubject: one\n\nFirst', '\nSubject: two\n\nSecond')),
    { text: HELLO, files: [] },
  ],
  [
    'an attached mail with the same boundary',
    parts('mixed', plain(), `Content-Type: message/rfc822\n\n${inner('mixed', plain('', 'Inner'))}`, PDF),
    { text: HELLO, files: ['order.pdf'] },
  ],
  [
    'an attached mail with a file',
    parts(
      'mixed',
      plain(),
      `Content-Type: message/rfc822; name=a.eml\n\n${inner('mixed', plain('', 'Inner'), file('image/png', 'b.png'))}`,
    ),
    { text: HELLO, files: ['a.eml'] },
  ],
  [
    'an apple double',
    parts(
      'mixed',
      plain(),
      inner('appledouble', file('application/applefile', 'a'), file('image/jpeg', 'a.jpg')),
    ),
    { text: HELLO, files: ['a', 'a.jpg'] },
  ],
  [
    'a winmail.dat',
    parts('mixed', plain(), file('application/ms-tnef', 'winmail.dat')),
    { text: HELLO, files: ['winmail.dat'] },
  ],
  [
    'a signed mail',
    parts(
      'signed; micalg=sha1; protocol="application/pgp-signature"',
      plain(),
      file('application/pgp-signature', 'signature.asc'),
    ),
    { text: HELLO, files: ['signature.asc'] },
  ],
  [
    'an encrypted mail',
    parts(
      'encrypted',
      'Content-Type: application/pgp-encrypted\n\nVersion: 1',
      file('application/octet-stream', 'encrypted.asc'),
    ),
    { text: '', files: ['encrypted.asc'] },
  ],
  [
    'an S/MIME mail',
    typed('application/pkcs7-mime; name=smime.p7m', 'x'),
    { text: '', files: ['smime.p7m'] },
  ],
  [
    'a delivery report',
    parts(
      'report',
      plain(),
      'Content-Type: message/delivery-status\n\nAction: failed',
      'Content-Type: message/rfc822\n\nSubject: a\n\nb',
    ),
    { text: HELLO, files: [] },
  ],
  [
    'an external body',
    parts(
      'mixed',
      plain(),
      'Content-Type: message/external-body; access-type=URL\n\nContent-Type: image/png\n\n',
    ),
    { text: HELLO },
  ],
  ['HTML before its text', parts('alternative', html(), plain()), { text: HELLO, html: HTML }],
  ['an alternative of two texts', parts('alternative', plain(), plain('', 'Bye')), { text: `${HELLO}\nBye` }],
  ['an alternative of one text', parts('alternative', plain()), { text: HELLO, html: '' }],
  [
    'an alternative in an alternative',
    parts('alternative', plain(), inner('alternative', html())),
    { text: HELLO, html: HTML },
  ],
  [
    'related in an alternative',
    parts('alternative', plain(), inner('related', html(), file('image/png', 'a.png'))),
    { text: HELLO, html: HTML, files: ['a.png'] },
  ],
  [
    'an attached multipart',
    parts('mixed', plain(), inner('mixed', PDF).replace('\n', '\nContent-Disposition: attachment\n')),
    { text: HELLO, files: ['order.pdf'] },
  ],
  ['a file before the text', parts('mixed', PDF, plain()), { text: HELLO, files: ['order.pdf'] }],
  [
    'a calendar in base64',
    typed('text/calendar', 'QkVHSU46VkNBTEVOREFS', 'Content-Transfer-Encoding: base64'),
    { text: 'BEGIN:VCALENDAR' },
  ],
  [
    'a contact beside a text',
    parts('mixed', plain(), 'Content-Type: text/x-vcard; name=a.vcf\n\nBEGIN:VCARD'),
    { text: HELLO, files: ['a.vcf'] },
  ],
  [
    'ten levels',
    Array.from({ length: 10 })
      .reduce<string>((one, _, at) => inner('mixed', one).replaceAll('c1', `d${at}e`), plain())
      .replace(/^/, 'Subject: odd\n'),
    { text: HELLO },
  ],
];

const TYPES: OddMail[] = [
  ['the type plain/text', typed('plain/text'), { text: HELLO }],
  ['an unknown type', typed('odd/odd'), { text: HELLO }],
  ['the type html/text', typed('html/text', HTML), { html: HTML }],
  [
    'an unknown type with a name',
    parts('mixed', plain(), file('odd/odd', 'a.odd')),
    { text: HELLO, files: ['a.odd'] },
  ],
  ['a comment before the type', typed('(odd) text/html', HTML), { html: HTML }],
  ['a comment at the type', typed('text/html(odd)', HTML), { html: HTML }],
  ['HTML as xhtml', typed('application/xhtml+xml', HTML), { html: HTML }],
  ['a type that ends early', typed('text/html;', HTML), { html: HTML }],
  ['parameters without a type', typed('charset=utf-8'), { text: HELLO }],
  ['a type in single quotes', typed(`'text/html'`, HTML), { html: HTML }],
  [
    'a name of a text in single quotes',
    parts('mixed', plain(), plain(`; name='a.txt'`)),
    { files: [`'a.txt'`] },
  ],
];

/** Odd mails whose oddity is in their parts. */
export const ODD_STRUCTURES: readonly OddMail[] = [...BOUNDARIES, ...CONTAINERS, ...TYPES];
