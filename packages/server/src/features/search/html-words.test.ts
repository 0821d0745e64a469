import type { SearchResults } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const ADA = 'ada.nowak@sandbox.example';

/** Kinds of HTML: the body, the words that find it, and a text that the excerpt shows. */
const KINDS: [kind: string, html: string, words: string[], shown: string][] = [
  ['numeric entities', 'ein &#252;bel gelaunter Drachenkopf', ['übel', 'ubel', 'drachenkopf'], 'übel'],
  ['hexadecimal entities', 'caf&#xE9;teria &#x4e;orwald', ['caféteria', 'norwald'], 'caféteria'],
  ['Cyrillic in entities', '&#1055;&#1088;&#1080;&#1074;&#1077;&#1090;! ', ['Привет'], 'Привет'],
  ['Chinese in entities', '&#26481;&#20140;&#22612;', ['東京', '京塔'], '東京塔'],
  ['named entities', 'encyclop&aelig;dia &Oslash;stergade', ['encyclopædia', 'Østergade'], 'encyclopædia'],
  [
    'entities without accents',
    'Stra&szlig;enkarte &Scaron;koda',
    ['Straßenkarte', 'strassenkarte', 'skoda'],
    'Škoda',
  ],
  ['entities without a semicolon', 'Z&uumlrichberg', ['Zürichberg'], 'Zürichberg'],
  ['soft hyphens', 'Zusammen&shy;arbeits&#173;kreis', ['Zusammenarbeitskreis'], 'Zusammenarbeitskreis'],
  ['zero-width spaces', 'Kranken&#8203;haus&ZeroWidthSpace;flur', ['Krankenhausflur'], 'Krankenhausflur'],
  ['byte order marks', 'Waren&#65279;korb&#x2060;inhalt', ['Warenkorbinhalt'], 'Warenkorbinhalt'],
  [
    'joiners',
    '&#1605;&#1740;&zwnj;&#1582;&#1608;&#1575;&#1607;&#1605;',
    ['میخواهم', 'می\u200cخواهم'],
    'خواهم',
  ],
  ['combining joiners', 'Schiff&#847;fahrts&zwj;amt', ['Schifffahrtsamt'], 'fahrts'],
  ['word breaks', 'Donau<wbr>dampfer<wbr/>kapitän', ['Donaudampferkapitän'], 'Donaudampferkapitän'],
  ['tags in words', '<b>Q</b>uartals<span class="x">zahlen</span>', ['Quartalszahlen'], 'Quartalszahlen'],
  [
    'tags between words',
    '<td>Erdbeere</td><td>Himbeere</td><br>Stachelbeere',
    ['Erdbeere', 'Stachelbeere'],
    'Himbeere',
  ],
  ['comments in words', 'Kürbis<!-- x > y -->suppe', ['Kürbissuppe'], 'Kürbissuppe'],
  ['attributes with >', '<a title="a > b">Zitronen</a>falter', ['Zitronenfalter'], 'Zitronenfalter'],
  [
    'styles and scripts',
    '<style>p { margin: 0 }</style><script>var hush</script>Kumquat',
    ['kumquat'],
    'Kumquat',
  ],
  ['no-break spaces', 'Bergamotte&nbsp;und&#160;Limette', ['Bergamotte', 'Limette'], 'Bergamotte und'],
  [
    'entities of markup',
    '&lt;Pampelmuse&gt; &amp; Clementine',
    ['Pampelmuse', 'Clementine'],
    '<Pampelmuse> &',
  ],
];

let server: TestServer;
let ada: Client;
const ids = new Map<string, string>();
const search = (q: string) => ada.get<SearchResults>(`/api/data/search?${new URLSearchParams({ q })}`);
const insert = (type: string, body: string) =>
  server.control.gmail.insertRaw(
    ADA,
    `From: Bo <bo@example.org>\nSubject: dragon\nMIME-Version: 1.0\nContent-Type: ${type}\n\n${body}\n`,
  );

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  await ada.connect('google', ADA);
  expect(await runSync(ada, 'gmail-labels')).toMatchObject({ status: 'finished' });
  for (const [kind, html] of KINDS) ids.set(kind, insert('text/html; charset=utf-8', `<p>${html}</p>`));
  const long = `<p>${'filler '.repeat(9000)}</p><p>Sto&shy;rchen&#110;est</p>`;
  ids.set('long', insert('text/html; charset=utf-8', long));
  const parts = ['text/plain\n\n ', 'text/html\n\n<p>Wei&szlig;&shy;dorn</p>'];
  ids.set(
    'blank',
    insert(
      'multipart/alternative; boundary=b',
      `--b\nContent-Type: ${parts.join('\n--b\nContent-Type: ')}\n--b--`,
    ),
  );
  expect(await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' })).toMatchObject({ status: 'finished' });
});
afterAll(() => server?.remove());

const shownText = ({ results }: SearchResults, id: string | undefined) =>
  results
    .find(({ recordId }) => recordId === id)
    ?.excerpt.map(({ text }) => text)
    .join('');

describe('words of a mail that has only HTML', () => {
  it.each(KINDS)('are found and shown: %s', async (kind, _, words, shown) => {
    for (const word of words) {
      const found = await search(word);
      expect(
        found.results.map(({ recordId }) => recordId),
        word,
      ).toContain(ids.get(kind));
      expect(shownText(found, ids.get(kind))).toContain(shown);
    }
  });

  it('are found beside an empty plain text', async () => {
    expect(shownText(await search('Weißdorn'), ids.get('blank'))).toContain('Weißdorn');
  });

  it('are found at the end of a long text', async () => {
    expect((await search('Storchennest')).results.map(({ recordId }) => recordId)).toEqual([ids.get('long')]);
  });

  it.each(['margin', 'hush', 'wbr', 'shy'])('are not those of the markup: %s', async (word) => {
    const found = (await search(`dragon ${word}`)).results.map(({ recordId }) => recordId);

    expect(found.filter((id) => [...ids.values()].includes(id))).toEqual([]);
  });
});
