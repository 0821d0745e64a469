import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DefaultTreeAdapterTypes, parse, parseFragment, serialize } from 'parse5';
import PostalMime from 'postal-mime';
import { afterAll, describe, expect, it } from 'vitest';
import { HIDDEN } from './elements.ts';
import { PAGE_LENGTH, writeMailPage } from './page.ts';

/** What folds a quoted mail. */
const SUMMARY = '<summary>Show quoted text</summary>';
const corpus = fileURLToPath(new URL('../../../../../../shared/data/rfc822', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'real-mails-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the HTML of the mails in a folder, as far as it is short enough for a page. */
async function* mailsOf(root: string): AsyncGenerator<{ name: string; html: string }> {
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const source = /\.eml$/.test(name) ? readFileSync(join(root, name)) : undefined;
    const mail = source && (await PostalMime.parse(source).catch(() => undefined));
    if (mail?.html && mail.html.length <= PAGE_LENGTH) yield { name, html: mail.html };
  }
}

/** Returns the characters that a browser shows, sorted: it moves misplaced content of a table in front of it. */
function shownCharacters(html: string): string {
  const texts: string[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node) => {
    if ('value' in node) texts.push(node.value);
    if (!('childNodes' in node) || HIDDEN.has(node.nodeName)) return;
    for (const child of node.childNodes) walk(child);
  };
  walk(parse(html));
  return [...texts.join('').replaceAll(/[\s\p{Cc}]/gu, '')].sort().join('');
}

describe.skipIf(!existsSync(corpus))('real mails', () => {
  it('keep their visible text and are read as they are written', async () => {
    execFileSync('tar', ['-xJf', join(corpus, 'spamassassin-1000.tar.xz'), '-C', folder]);
    const seen: string[] = [];
    for (const root of [corpus, folder]) {
      for await (const { name, html } of mailsOf(root)) {
        const page = writeMailPage(html);
        seen.push(name);
        expect(page.isCutOff, name).toBe(false);
        expect(shownCharacters(page.html.replaceAll(SUMMARY, '')), name).toBe(shownCharacters(html));
        const unquoted = (text: string) => text.replaceAll('&quot;', '"');
        expect(unquoted(serialize(parseFragment(page.html))), name).toBe(unquoted(page.html));
      }
    }
    expect(seen.length).toBeGreaterThan(300);
  });
});
