import { describe, expect, it } from 'vitest';
import { readingOf, throughGmail, throughImap } from './both-doors.ts';
import { type Choices, pairsOfChoices, writeFaultyMail } from './faulty-mails.ts';

/** Returns what is wrong with the reading of a mail with several faults. */
async function problemsOf(choices: Choices): Promise<string[]> {
  const { source, sentences, files } = writeFaultyMail(choices);
  const bytes = Buffer.from(source, 'latin1');
  const [imap, gmail] = [readingOf(await throughImap(bytes)), readingOf(throughGmail(bytes))];
  const shown = `${imap.subject}\n${imap.text}\n${imap.html}`;
  const problems = sentences.filter((sentence) => !shown.includes(sentence)).map((one) => `lacks ${one}`);
  if (JSON.stringify(imap).includes('\ufffd')) problems.push('has U+FFFD');
  const names = imap.files.map(([name]) => name);
  if (names.join() !== files.join()) problems.push(`lists ${names}`);
  const fields = Object.keys(imap) as (keyof typeof imap)[];
  return [
    ...problems,
    ...fields
      .filter((field) => JSON.stringify(imap[field]) !== JSON.stringify(gmail[field]))
      .map((field) => `${field} differs: ${JSON.stringify(imap[field])} and ${JSON.stringify(gmail[field])}`),
  ];
}

describe('a mail with two faults at least', () => {
  it('shows its sentences and files through both doors', async () => {
    const wrong: unknown[] = [];
    let count = 0;
    for (const choices of pairsOfChoices()) {
      count++;
      const problems = await problemsOf(choices);
      if (problems.length > 0) wrong.push({ choices, problems });
    }

    expect(wrong.slice(0, 5)).toEqual([]);
    expect(count).toBeGreaterThan(1500);
  }, 60_000);
});
