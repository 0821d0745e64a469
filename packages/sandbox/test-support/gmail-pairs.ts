/** A mail and a part of Gmail's response to it, in the format of recorded responses but with invented texts. */
export interface GmailPair {
  name: string;
  mail: string;
  /** A part of the message resource. */
  answer: Record<string, unknown>;
}

const ALTERNATIVE = 'Content-Type: multipart/alternative; boundary=alt';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');

function mail(...lines: string[]): string {
  return lines.join('\r\n');
}

function alternative(plain: string, rich: string): string {
  return mail(
    ALTERNATIVE,
    '',
    '--alt',
    'Content-Type: text/plain',
    '',
    plain,
    '--alt',
    'Content-Type: text/html',
    '',
    rich,
    '--alt--',
  );
}

const headers: GmailPair[] = [
  {
    name: 'a folded header keeps the white space of its folds',
    mail: mail(
      'Received: by 2001:db8::1 with SMTP id x9csp1;',
      '        Sat, 23 Aug 2014 14:02:24 -0700 (PDT)',
      'Content-Type: text/plain;',
      '\tcharset=utf-8',
      'Subject:  Minutes of',
      '  the meeting  ',
      '',
      'x',
    ),
    answer: {
      payload: {
        headers: [
          {
            name: 'Received',
            value: 'by 2001:db8::1 with SMTP id x9csp1;        Sat, 23 Aug 2014 14:02:24 -0700 (PDT)',
          },
          { name: 'Content-Type', value: 'text/plain;\tcharset=utf-8' },
          { name: 'Subject', value: 'Minutes of  the meeting' },
        ],
      },
    },
  },
  {
    name: 'encoded words that are folded are joined without white space',
    mail: mail('Subject: =?utf-8?Q?gr=C3?=', ' =?utf-8?Q?=BC=C3=9Fe?=', '\taus Bonn', '', 'x'),
    answer: { payload: { headers: [{ name: 'Subject', value: 'grüße\taus Bonn' }] } },
  },
];

const LONG = 'Hi Ada, thanks for the payment of $66.64 that arrived today; we updated your account. ';

const snippets: GmailPair[] = [
  {
    name: 'a snippet ends inside an address, at the mark that still fits',
    mail: mail('', `${'Ten signs. '.repeat(16)}Ada <ada.nowak@laboratory.example>: yes`),
    answer: { snippet: `${'Ten signs. '.repeat(16)}Ada &lt;ada.nowak@` },
  },
  {
    name: 'a snippet ends inside a word with an apostrophe',
    mail: mail('', `${LONG}${LONG}So this month, please don't pay it a second time.`),
    answer: { snippet: `${LONG}${LONG}So this month, please don` },
  },
  {
    name: 'a snippet has 201 characters after escaping at most',
    mail: mail('', `${"5' ".repeat(60)}`),
    answer: { snippet: `${'5&#39; '.repeat(28)}5` },
  },
  {
    name: 'a snippet drops the marks of quotations and keeps other angle brackets',
    mail: mail('', 'Ada <ada@example.org> wrote:', '> First line', '>> 2 > 1', '>', '> > Last line'),
    answer: { snippet: 'Ada &lt;ada@example.org&gt; wrote: First line 2 &gt; 1 Last line' },
  },
  {
    name: 'a snippet comes from the HTML of an alternative',
    mail: alternative(
      'View online: https://example.org/news',
      '<html><head><title>News</title><style>p{}</style></head><p>Great&nbsp;offers &zwnj; &zwnj;</p><p>for <b>yo</b>u &amp; me &#8211; &rsquo;tis</p>',
    ),
    answer: { snippet: 'Great offers \u200c \u200c for you &amp; me – ’tis' },
  },
  {
    name: 'a snippet comes from the plain text where the HTML shows none',
    mail: alternative('Plain words', '<html><body><img src="a.png"></body></html>'),
    answer: { snippet: 'Plain words' },
  },
];

const embedded: GmailPair[] = [
  {
    name: 'attached messages and delivery reports are containers without size and attachment id',
    mail: mail(
      'Content-Type: multipart/report; report-type=delivery-status; boundary=r',
      '',
      '--r',
      'Content-Type: text/plain',
      '',
      'Not delivered.',
      '--r',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.org',
      '',
      'Final-Recipient: rfc822; gone@example.net',
      'Status: 5.1.1',
      '--r',
      'Content-Type: message/rfc822; name="lost.eml"',
      '',
      'Subject: Lost',
      '',
      'inner text',
      '--r--',
    ),
    answer: {
      snippet: 'Not delivered.',
      payload: {
        parts: [
          { partId: '0', body: { size: 14, data: base64url('Not delivered.') } },
          {
            partId: '1',
            mimeType: 'message/delivery-status',
            body: { size: 0 },
            parts: [
              {
                partId: '1.0',
                mimeType: 'text/plain',
                headers: [{ name: 'Reporting-MTA', value: 'dns; mx.example.org' }],
                body: {
                  size: 56,
                  data: base64url('Final-Recipient: rfc822; gone@example.net\r\nStatus: 5.1.1'),
                },
              },
            ],
          },
          {
            partId: '2',
            mimeType: 'message/rfc822',
            filename: 'lost.eml',
            body: { size: 0 },
            parts: [
              { partId: '2.0', mimeType: 'text/plain', body: { size: 10, data: base64url('inner text') } },
            ],
          },
        ],
      },
    },
  },
];

const names: GmailPair[] = (
  [
    [
      'pieces in any order',
      'rates 2026 €.pdf',
      `filename*1*=%20%E2%82; filename*0*=utf-8''rates%202026; filename*2*=%AC; filename*3=".pdf"`,
    ],
    ['pieces without a charset', 'annual report.pdf', 'filename*0="annual "; filename*1="report.pdf"'],
    [
      'another charset and a language',
      'Preis £5.pdf',
      `filename*0*=iso-8859-1'de'Preis%20; filename*1*=%A35.pdf`,
    ],
    [
      'the extended name beside the plain one',
      '€ rates.pdf',
      `filename="EURO rates.pdf"; filename*=UTF-8''%e2%82%ac%20rates.pdf`,
    ],
    [
      'the pieces beside the plain one',
      'long-name.pdf',
      'filename="short.pdf"; filename*0=long-; filename*1=name.pdf',
    ],
    ['pieces up to the gap', 'a', 'filename*0=a; filename*2=c.pdf'],
    ['a percent sign that is no escape', '100%.pdf', `filename*0*=utf-8''100%; filename*1=.pdf`],
    ['semicolons and quotes inside', 'a;b"c=d.pdf', 'filename="a;b\\"c=d.pdf"; size=3'],
  ] as const
).map(([what, filename, parameters]) => ({
  name: `a file name has ${what}`,
  mail: mail(
    'Content-Type: application/pdf',
    `Content-Disposition: attachment;\r\n ${parameters.replaceAll('; ', ';\r\n ')}`,
    '',
    '%PDF',
  ),
  answer: { payload: { filename } },
}));

const received = (date: string, ...hops: string[]) =>
  mail(...hops.map((hop) => `Received: by mx.example.org; ${hop}`), `Date: ${date}`, '', 'x');

const dates: GmailPair[] = (
  [
    ['years 00 to 49 are 2000 to 2049', received('22 Aug 02 11:26:25 GMT'), '2002-08-22T11:26:25Z'],
    [
      'years 50 to 99 are 1950 to 1999',
      received('Fri, 21 Nov 97 09(comment):   55  :  06 -0600'),
      '1997-11-21T15:55:06Z',
    ],
    ['years of three digits count from 1900', received('22 Aug 102 11:26:25 GMT'), '2002-08-22T11:26:25Z'],
    [
      'the newest sound Received counts for the year 0102',
      received(
        'Tue, 14 May 0102 10:52:57 -0700',
        'never',
        'Tue, 14 May 2002 05:14:01 +0100',
        'Mon, 13 May 2002 05:14:01 +0100',
      ),
      '2002-05-14T04:14:01Z',
    ],
    [
      'the newest sound Received counts for a year far ahead',
      received('Mon, 30 Jun 3609 15:33:50 +0600', 'Mon, 30 Jun 2008 02:34:00 -0700 (PDT)'),
      '2008-06-30T09:34:00Z',
    ],
    [
      'the newest sound Received counts for 1970',
      received('Thu, 1 Jan 1970 00:00:00 +0000', '30 Jun 08 02:34:00 -0700'),
      '2008-06-30T09:34:00Z',
    ],
  ] as const
).map(([what, text, date]) => ({
  name: `dates: ${what}`,
  mail: text,
  answer: { internalDate: String(Date.parse(date)) },
}));

const BODY = 'A text whose length is no multiple of three, and that takes two lines of base64 at least.';
const lines = base64(BODY).match(/.{1,76}/g) ?? [];
const whole = BODY.slice(0, 57);

const bodies: GmailPair[] = (
  [
    [
      'ends at its padding, before a footer',
      BODY,
      [...lines, '_______________________', 'Example mailing list', 'Best'],
    ],
    ['ends before a footer without a padding', whole, [base64(whole), '--', 'Example list']],
    ['ends at a blank line', whole, [base64(whole), '', 'Best', 'regards']],
    [
      'continues after a padding when pieces were encoded separately',
      `${BODY}${whole}`,
      [...lines, base64(whole)],
    ],
    [
      'loses illegal characters inside the block only',
      BODY.repeat(3),
      damaged(base64(BODY.repeat(3)).match(/.{1,76}/g) ?? []),
    ],
  ] as const
).map(([what, text, encoded]) => ({
  name: `a base64 body ${what}`,
  mail: mail('Content-Type: text/plain', 'Content-Transfer-Encoding: base64', '', ...encoded),
  answer: { payload: { body: { size: text.length, data: base64url(text) } } },
}));

function damaged([first = '', second = '', ...rest]: readonly string[]): string[] {
  return [first, `!${second.slice(0, 30)}*${second.slice(30)}`, ...rest];
}

/** Mails with Gmail's responses. */
export const GMAIL_PAIRS: readonly GmailPair[] = [
  ...headers,
  ...snippets,
  ...embedded,
  ...names,
  ...dates,
  ...bodies,
];
