import { describe, expect, it } from 'vitest';
import { byUid, flagsKey, knownMessages, recordFlags } from './known-messages.ts';

describe('recordFlags', () => {
  it('spells system flags as the RFC does, and keeps others', () => {
    expect(
      recordFlags(['\\SEEN', '\\flagged', '\\Deleted', '\\draft', '\\answered', '$Work', 'work']),
    ).toEqual(['$Work', '\\Answered', '\\Deleted', '\\Draft', '\\Flagged', '\\Seen', 'work']);
  });

  it('names each flag once, and neither recent mail nor flags that are too long', () => {
    const longest = 'x'.repeat(200);
    expect(recordFlags(['\\Seen', '\\seen', '\\RECENT', longest, `${longest}x`])).toEqual([
      '\\Seen',
      longest,
    ]);
    expect(recordFlags(undefined)).toEqual([]);
  });

  it('has at most 200 flags', () => {
    expect(recordFlags(Array.from({ length: 300 }, (_, at) => `flag${at}`))).toHaveLength(200);
  });
});

describe('flagsKey', () => {
  it('is equal for the same flags in any order and case', () => {
    expect(flagsKey(['Work', '\\seen'])).toBe(flagsKey(['\\SEEN', 'work', 'WORK', '\\Recent']));
    expect(flagsKey(['Work'])).not.toBe(flagsKey(['\\Seen']));
    expect(flagsKey(['a', 'b'])).not.toBe(flagsKey(['ab']));
    expect(flagsKey([])).toBe('');
  });

  it('is unknown when the server did not send the flags', () => {
    expect(flagsKey(undefined)).toBeUndefined();
  });

  it('is short for many flags', () => {
    const many = Array.from({ length: 50 }, (_, at) => `a-rather-long-flag-${at}`);
    expect(flagsKey(many)?.length).toBeLessThan(40);
    expect(flagsKey(many)).not.toBe(flagsKey(many.slice(1)));
    expect(flagsKey(['x'.repeat(100)])).toBe('x'.repeat(100));
    expect(flagsKey(['x'.repeat(101)])).not.toContain('xx');
  });
});

describe('knownMessages', () => {
  it('reads flags and arrivals of the messages of one mailbox and numbering', async () => {
    const stored = async function* () {
      yield [
        { id: 'A/7/1', columns: { flags: ['\\Seen'], received_at: '2026-03-01T08:00:00Z' } },
        { id: 'A/7/2', columns: { flags: null, received_at: null } },
      ];
      yield [
        { id: 'A/7/30', columns: { flags: ['\\Seen'], received_at: '2026-03-02T08:00:00Z' } },
        { id: 'A/6/4', columns: { flags: [], received_at: null } },
        { id: 'A/7/x', columns: { flags: [], received_at: null } },
      ];
    };
    const known = await knownMessages({ stored }, { mailbox: 'A', uidValidity: '7' });
    expect(byUid(known)).toEqual(
      new Map([
        [1, { flags: '\\seen', time: Date.parse('2026-03-01T08:00:00Z') }],
        [2, { flags: undefined, time: 0 }],
        [30, { flags: '\\seen', time: Date.parse('2026-03-02T08:00:00Z') }],
      ]),
    );
  });
});
