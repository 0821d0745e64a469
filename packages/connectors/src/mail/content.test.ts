import { describe, expect, it } from 'vitest';
import { mailReading } from './content.ts';

const { read } = mailReading({ labels: 'mailbox', urlOf: () => null });
const valuesOf = (mail: Parameters<typeof read>[0], title: string) =>
  read(mail).facts.find((fact) => fact.title === title)?.values;

describe('mailReading', () => {
  it.each([
    [{ name: 'Amy', address: 'amy@example.org' }, ['Amy <amy@example.org>']],
    [{ name: '', address: 'amy@example.org' }, ['amy@example.org']],
    [{ name: 'Amy', address: '' }, ['Amy']],
    [{ name: '', address: '' }, []],
    [null, []],
  ])('writes the sender %j as %j', (from, expected) => {
    expect(valuesOf({ from }, 'From')).toEqual(expected);
  });

  it('shows the address for answers only when it is another one', () => {
    const amy = { name: 'Amy', address: 'amy@example.org' };
    const list = { name: '', address: 'list@example.org' };
    expect(valuesOf({ from: amy, replyTo: [amy] }, 'Reply to')).toEqual([]);
    expect(valuesOf({ from: amy, replyTo: [list] }, 'Reply to')).toEqual(['list@example.org']);
  });

  it('shows files with their sizes', () => {
    const attachments = [
      { filename: 'a.pdf', size: 1_234_001 },
      { filename: '', size: 1 },
      { filename: 'b' },
    ];
    expect(valuesOf({ attachments }, 'Attachments')).toEqual([
      'a.pdf (1,235 kB)',
      'Without a name (1 kB)',
      'b',
    ]);
  });

  it('reads one label or a list of them', () => {
    expect(read({ mailbox: 'INBOX' }).labels).toEqual(['INBOX']);
    expect(read({ mailbox: ['A', 1, ''] }).labels).toEqual(['A']);
  });
});
