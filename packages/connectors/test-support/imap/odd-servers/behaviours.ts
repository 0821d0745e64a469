/** Odd behaviours of mail servers, seen in public reports of other tools. Each rewrites the answers of a scripted server. */

/** Rewrites the lines of an answer, the status last. @param command the command in capitals */
export type Rewrite = (command: string, lines: string[], line: string) => string[];

/** A behaviour by name. */
export interface OddBehaviour {
  name: string;
  /** Starts the behaviour of one server; some change with the number of answers. */
  start(): Rewrite;
}

const on =
  (wanted: string, change: (lines: string[], line: string) => string[]): Rewrite =>
  (command, lines, line) =>
    command === wanted ? change(lines, line) : lines;
const without = (wanted: string, pattern: RegExp) =>
  on(wanted, (lines) => lines.filter((text) => !pattern.test(text)));
const replacing = (wanted: string, pattern: RegExp, by: string) =>
  on(wanted, (lines) => lines.map((text) => text.replace(pattern, by)));
const before = (wanted: string, ...extra: string[]) => on(wanted, (lines) => [...extra, ...lines]);
const within = (wanted: string, ...extra: string[]) =>
  on(wanted, (lines) => [...lines.slice(0, -1), ...extra, ...lines.slice(-1)]);
const isBodies = (line: string) => line.includes('BODY');
const all =
  (...rewrites: Rewrite[]): Rewrite =>
  (command, lines, line) =>
    rewrites.reduce((changed, rewrite) => rewrite(command, changed, line), lines);
/** The messages of these numbers are missing in answers with bodies, or in answers of the listing. */
const omitting = (kind: 'bodies' | 'list', ...numbers: number[]) =>
  on('FETCH', (lines, line) =>
    isBodies(line) === (kind === 'bodies')
      ? lines.filter((text) => !numbers.some((number) => text.startsWith(`* ${number} FETCH`)))
      : lines,
  );
const refusing = (text: string) =>
  on('FETCH', (lines, line) => {
    const bad = lines.findIndex((one) => isBodies(line) && one.startsWith('* 5 FETCH'));
    return bad < 0 ? lines : [...lines.slice(0, bad), `${line.split(' ')[0]} ${text}`];
  });
const status = (wanted: string, text: string) =>
  on(wanted, (lines, line) => [...lines.slice(0, -1), `${line.split(' ')[0]} ${text}`]);

const TABLE: Record<string, Rewrite> = {
  'UIDNEXT missing': without('EXAMINE', /UIDNEXT/),
  'UIDNEXT 0': replacing('EXAMINE', /UIDNEXT \d+/, 'UIDNEXT 0'),
  'UIDNEXT below the highest UID': replacing('EXAMINE', /UIDNEXT \d+/, 'UIDNEXT 3'),
  'UIDNEXT not a number': replacing('EXAMINE', /UIDNEXT \d+/, 'UIDNEXT soon'),
  'UIDVALIDITY missing': without('EXAMINE', /UIDVALIDITY/),
  'UIDVALIDITY missing everywhere': all(
    without('EXAMINE', /UIDVALIDITY/),
    replacing('STATUS', / UIDVALIDITY \d+/, ''),
  ),
  'UIDVALIDITY 0': replacing('EXAMINE', /UIDVALIDITY \d+/, 'UIDVALIDITY 0'),
  'STATUS empty': all(without('EXAMINE', /UIDVALIDITY/), replacing('STATUS', /\(.*\)/, '()')),
  'STATUS without a list': all(without('EXAMINE', /UIDVALIDITY/), without('STATUS', /^\*/)),
  'STATUS refused': all(without('EXAMINE', /UIDVALIDITY/), status('STATUS', 'NO not now')),
  'EXISTS missing': without('EXAMINE', /EXISTS/),
  'EXISTS 0': replacing('EXAMINE', /\d+ EXISTS/, '0 EXISTS'),
  'EXISTS too low': replacing('EXAMINE', /\d+ EXISTS/, '2 EXISTS'),
  'EXISTS too high': replacing('EXAMINE', /\d+ EXISTS/, '900 EXISTS'),
  'HIGHESTMODSEQ missing': without('EXAMINE', /HIGHESTMODSEQ/),
  'HIGHESTMODSEQ 0': replacing('EXAMINE', /HIGHESTMODSEQ \d+/, 'HIGHESTMODSEQ 0'),
  NOMODSEQ: replacing('EXAMINE', /HIGHESTMODSEQ \d+/, 'NOMODSEQ'),
  'ENABLE confirms nothing': all(
    replacing('CAPABILITY', /IMAP4rev1/, 'IMAP4rev1 ENABLE'),
    before('ENABLE', '* ENABLED'),
  ),
  'ENABLE confirms CONDSTORE, MODSEQ refused': all(
    replacing('CAPABILITY', /IMAP4rev1/, 'IMAP4rev1 ENABLE'),
    before('ENABLE', '* ENABLED CONDSTORE'),
    on('FETCH', (lines, line) => (line.includes('MODSEQ') ? [`${line.split(' ')[0]} BAD what?`] : lines)),
  ),
  'MODSEQ 0 in each FETCH': replacing('FETCH', /\(UID/, '(MODSEQ (0) UID'),
  'FETCH of one body without data': omitting('bodies', 5),
  'FETCH of many bodies without data': omitting('bodies', 1, 2, 3, 50, 51, 129, 130),
  'listing omits one message': omitting('list', 5),
  'listing omits the newest messages': omitting('list', 128, 129, 130),
  'listing refused': on('FETCH', (lines, line) =>
    line.includes('1:*') ? [`${line.split(' ')[0]} NO try SEARCH`] : lines,
  ),
  'listing refused in the middle': on('FETCH', (lines, line) =>
    line.includes('1:*') ? [...lines.slice(0, 40), `${line.split(' ')[0]} NO no more`] : lines,
  ),
  'FETCH answers messages that were not asked for': before('FETCH', '* 900 FETCH (UID 900 FLAGS ())'),
  'unsolicited FETCH without UID': within('FETCH', '* 3 FETCH (FLAGS (\\Seen))'),
  'FETCH in two answers': on('FETCH', (lines, line) =>
    isBodies(line)
      ? lines.flatMap((text) => {
          const [, head = '', uid = '', rest = ''] =
            /^(\* \d+ FETCH \()(UID \d+ )([\s\S]*)$/.exec(text) ?? [];
          const [, outside = '', body] = /^([\s\S]*?) (BODY[\s\S]*)$/.exec(rest) ?? [];
          return head && body ? [`${head}${uid}${outside})`, `${head}${uid}${body}`] : [text];
        })
      : lines,
  ),
  'FETCH answers in descending order': on('FETCH', (lines) => [
    ...lines.slice(0, -1).reverse(),
    ...lines.slice(-1),
  ]),
  'FETCH answers twice': on('FETCH', (lines) => [...lines.slice(0, -1), ...lines]),
  'FETCH without FLAGS': replacing('FETCH', /FLAGS \(\) /, ''),
  'RFC822.SIZE 0': replacing('FETCH', /RFC822\.SIZE \d+/, 'RFC822.SIZE 0'),
  'RFC822.SIZE too large': replacing('FETCH', /RFC822\.SIZE \d+/, 'RFC822.SIZE 99999'),
  'RFC822.SIZE too small': replacing('FETCH', /RFC822\.SIZE \d+/, 'RFC822.SIZE 10'),
  'RFC822.SIZE as large as it gets': replacing('FETCH', /RFC822\.SIZE \d+/, 'RFC822.SIZE 4294967295'),
  'RFC822.SIZE not a number': replacing('FETCH', /RFC822\.SIZE \d+/, 'RFC822.SIZE NIL'),
  'RFC822.SIZE missing': replacing('FETCH', / RFC822\.SIZE \d+/, ''),
  'INTERNALDATE NIL': replacing('FETCH', /INTERNALDATE "[^"]*"/, 'INTERNALDATE NIL'),
  'INTERNALDATE not a date': replacing('FETCH', /INTERNALDATE "[^"]*"/, 'INTERNALDATE "yesterday"'),
  'INTERNALDATE missing': replacing('FETCH', /INTERNALDATE "[^"]*" /, ''),
  'BODY[] in lower case': replacing('FETCH', /BODY\[\]/, 'body[]'),
  'keywords in lower case': all(
    replacing('FETCH', /FETCH \(UID (\d+) FLAGS/, 'fetch (uid $1 flags'),
    replacing('EXAMINE', /UIDVALIDITY/, 'uidvalidity'),
    replacing('EXAMINE', /EXISTS/, 'exists'),
    replacing('SEARCH', /SEARCH/, 'search'),
  ),
  'flags in another case': replacing('FETCH', /FLAGS \(\)/, 'FLAGS (\\SEEN \\flagged)'),
  'literal8 bodies': replacing('FETCH', / \{(?=\d+\}\r\n)/, ' ~{'),
  'one NO for one message': refusing('NO cannot be converted'),
  'one BAD for one message': refusing('BAD internal error'),
  'one NO [UNAVAILABLE] for one message': refusing('NO [UNAVAILABLE] later'),
  'one NO [SERVERBUG] for one message': refusing('NO [SERVERBUG] broken'),
  'SEARCH answers nothing': without('SEARCH', /^\*/),
  'SEARCH refused': status('SEARCH', 'NO not supported'),
  'SEARCH unsorted with duplicates': replacing('SEARCH', /^\* SEARCH (.*)/, '* SEARCH 9 3 9 $1'),
  'SEARCH answers in two lines': on('SEARCH', ([text = '', ...rest]) => [text, text, ...rest]),
  'SEARCH names a message that does not exist': replacing('SEARCH', /^\* SEARCH/, '* SEARCH 777'),
  'SEARCH and listing omit one message': all(omitting('list', 5), replacing('SEARCH', / 5(?= )/, '')),
  'EXISTS in the middle': within('FETCH', '* 131 EXISTS'),
  'EXPUNGE in the middle of the listing': on('FETCH', (lines, line) =>
    isBodies(line) ? lines : [...lines.slice(0, 3), '* 900 EXPUNGE', ...lines.slice(3)],
  ),
  '[ALERT] in the middle': within('FETCH', '* OK [ALERT] Your mailbox is nearly full.'),
  'no text after OK': (_command, lines) => lines.map((text) => text.replace(/^(\S+ OK) done$/, '$1')),
  'capabilities only after the sign-in': before('LOGIN', '* CAPABILITY IMAP4rev1'),
  'unknown untagged answers': within('FETCH', '* XNOTIFY 1 2 3', '* 4 XTHING'),
};

/** Odd forms of answers, seen less often. */
const FORMS: Record<string, Rewrite> = {
  'SEARCH empty': replacing('SEARCH', /^\* SEARCH .*/, '* SEARCH'),
  'ESEARCH instead of SEARCH': replacing('SEARCH', /^\* SEARCH .*/, '* ESEARCH (TAG "a") UID ALL 1:130'),
  'EXAMINE with odd response codes': before(
    'EXAMINE',
    '* OK [UNSEEN 12] .',
    '* OK [PERMANENTFLAGS ()] .',
    '* OK [X-ODD (1 2)] .',
  ),
  'UIDVALIDITY other in STATUS than in EXAMINE': replacing('STATUS', /UIDVALIDITY \d+/, 'UIDVALIDITY 99'),
  'EXPUNGE in the middle of bodies': on('FETCH', (lines, line) =>
    isBodies(line) ? [...lines.slice(0, 3), '* 900 EXPUNGE', ...lines.slice(3)] : lines,
  ),
  'sequence numbers shifted': on('FETCH', (lines) =>
    lines.map((text) => text.replace(/^\* (\d+) FETCH/, (_, number) => `* ${Number(number) + 1} FETCH`)),
  ),
  'FETCH items in another order': replacing(
    'FETCH',
    /\((UID \d+) (FLAGS \(\)) (INTERNALDATE "[^"]*") (RFC822\.SIZE \d+)/,
    '($4 $3 $2 $1',
  ),
  'FETCH with unknown items': replacing('FETCH', /\(UID/, '(X-GM-MSGID 12 X-ODD ("a" NIL) UID'),
  'LIST without a delimiter': replacing('LIST', /"\/" INBOX/, 'NIL INBOX'),
  'LIST with a delimiter that is not ASCII': replacing('LIST', /"\/" INBOX/, '"\u00b7" INBOX'),
};

const structure = (by: string) => replacing('FETCH', /BODYSTRUCTURE [\s\S]*\)$/, `${by})`);
const TEXT = '("TEXT" "PLAIN" NIL NIL NIL "7BIT" 12 1)';

/** Structures and parts of large messages. */
const STRUCTURES: Record<string, Rewrite> = {
  'BODYSTRUCTURE NIL': structure('BODYSTRUCTURE NIL'),
  'BODYSTRUCTURE empty': structure('BODYSTRUCTURE ()'),
  'BODYSTRUCTURE not sent': structure('FLAGS ()'),
  'BODYSTRUCTURE of a single text': structure(`BODYSTRUCTURE ${TEXT}`),
  'BODYSTRUCTURE of a single file': structure('BODYSTRUCTURE ("APPLICATION" "PDF" NIL NIL NIL "BASE64" 9)'),
  'BODYSTRUCTURE of a multipart without parts': structure('BODYSTRUCTURE ("MIXED" ("BOUNDARY" "b") NIL NIL)'),
  'BODYSTRUCTURE with too many texts': structure(`BODYSTRUCTURE (${TEXT.repeat(3)} "MIXED")`),
  'BODYSTRUCTURE with many parts': structure(`BODYSTRUCTURE (${TEXT.repeat(300)} "MIXED")`),
  'BODYSTRUCTURE without the text': structure(
    'BODYSTRUCTURE (("APPLICATION" "PDF" NIL NIL NIL "BASE64" 90000) "MIXED")',
  ),
  'BODYSTRUCTURE nested too deep': structure(
    `BODYSTRUCTURE ${'('.repeat(40)}${TEXT}${' "MIXED")'.repeat(40)}`,
  ),
  'BODYSTRUCTURE of atoms': structure('BODYSTRUCTURE (TEXT PLAIN)'),
  'BODYSTRUCTURE of numbers': structure('BODYSTRUCTURE (1 2 3)'),
  'BODYSTRUCTURE with sizes 0': replacing('FETCH', /"7BIT" \d+/g, '"7BIT" 0'),
  'BODYSTRUCTURE with sizes too large': replacing('FETCH', /"7BIT" \d+/g, '"7BIT" 4294967295'),
  'BODYSTRUCTURE with sizes too small': replacing('FETCH', /"7BIT" \d+/g, '"7BIT" 3'),
  'BODYSTRUCTURE with sizes NIL': replacing('FETCH', /"7BIT" \d+/g, '"7BIT" NIL'),
  'BODYSTRUCTURE in lower case': on('FETCH', (lines) =>
    lines.map((text) => text.replaceAll(/"(TEXT|PLAIN|MIXED|ATTACHMENT)"/g, (word) => word.toLowerCase())),
  ),
  'BODYSTRUCTURE refused': on('FETCH', (lines, line) =>
    line.includes('BODYSTRUCTURE') ? [`${line.split(' ')[0]} NO [SERVERBUG] broken`] : lines,
  ),
  'parts not sent': replacing('FETCH', / BODY\[\d[\s\S]*\)$/, ')'),
  'parts NIL': replacing('FETCH', / BODY\[\d[\s\S]*\)$/, ' BODY[1.MIME]<0> NIL BODY[1]<0> NIL)'),
  'parts empty': replacing('FETCH', / BODY\[\d[\s\S]*\)$/, ' BODY[1.MIME]<0> "" BODY[1]<0> "")'),
  'parts of another number': replacing('FETCH', /BODY\[1/g, 'BODY[2'),
  'parts refused': on('FETCH', (lines, line) =>
    line.includes('[1]') ? [`${line.split(' ')[0]} BAD what?`] : lines,
  ),
};

/** Ends the connection in the middle of the first answers to a command. */
const bye =
  (wanted: string, times: number, isMeant: (line: string) => boolean = () => true) =>
  (): Rewrite => {
    let left = times;
    return on(wanted, (lines, line) =>
      isMeant(line) && left-- > 0 ? [...lines.slice(0, lines.length / 2), '* BYE restarting'] : lines,
    );
  };

/** Connections that the server ends. */
const ENDINGS: Record<string, () => Rewrite> = {
  'BYE instead of the sign-in, once': bye('LOGIN', 1),
  'BYE in the middle of EXAMINE, twice': bye('EXAMINE', 2),
  'BYE in the middle of the listing, twice': bye('FETCH', 2, (line) => !isBodies(line)),
  'BYE in the middle of SEARCH, once': bye('SEARCH', 1),
  'BYE in the middle of bodies, three times': bye('FETCH', 3, isBodies),
  'BYE in each fifth answer with bodies': () => {
    let count = 0;
    return on('FETCH', (lines, line) =>
      isBodies(line) && ++count % 5 === 0 ? [...lines.slice(0, lines.length / 2), '* BYE restarting'] : lines,
    );
  },
  'BYE after each answer with bodies': () =>
    on('FETCH', (lines, line) => (isBodies(line) ? [...lines, '* BYE restarting'] : lines)),
  'BYE at the content of one message': () =>
    on('FETCH', (lines, line) => {
      const bad = lines.findIndex((one) => isBodies(line) && one.startsWith('* 5 FETCH'));
      return bad < 0 ? lines : [...lines.slice(0, bad), '* BYE out of memory'];
    }),
};

const fixed = Object.entries({ ...TABLE, ...FORMS, ...STRUCTURES }).map(([name, rewrite]) => ({
  name,
  start: () => rewrite,
}));
/** The table of odd behaviours. */
export const ODD_BEHAVIOURS: readonly OddBehaviour[] = [
  ...fixed,
  ...Object.entries(ENDINGS).map(([name, start]) => ({ name, start })),
];
