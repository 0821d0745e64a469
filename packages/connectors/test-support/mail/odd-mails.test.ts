import { describe, expect, it } from 'vitest';
import { readingOf, throughGmail, throughImap } from './both-doors.ts';
import { ODD_MAILS } from './odd-mails.ts';

describe('an odd mail', () => {
  it.each(ODD_MAILS)('is read by Gmail and IMAP alike and rightly: %s', async (_, written, expected) => {
    const source = Buffer.from(written, 'latin1');
    const imap = readingOf(await throughImap(source));

    expect(imap).toMatchObject(
      Object.fromEntries(
        Object.entries({
          subject: expected.subject,
          from: expected.from === undefined ? undefined : { name: expected.from },
          dateHeader: expected.date,
          text: expected.text,
          html: expected.html,
        }).filter(([, value]) => value !== undefined),
      ),
    );
    const people = imap.to as { name: string; address: string }[];
    if (expected.to) expect(people.map(({ name, address }) => address || name)).toEqual(expected.to);
    if (expected.files) expect(imap.files.map(([name]) => name)).toEqual(expected.files);
    expect(readingOf(throughGmail(source))).toEqual(imap);
  });

  it('has a kind of its own', () => {
    expect(ODD_MAILS.length).toBeGreaterThanOrEqual(240);
    expect(new Set(ODD_MAILS.map(([kind]) => kind)).size).toBe(ODD_MAILS.length);
  });
});
