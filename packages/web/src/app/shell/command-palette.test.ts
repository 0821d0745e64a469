import { describe, expect, it } from 'vitest';
import { rankOf } from './command-palette.tsx';

const rank = (search: string, ...shown: string[]) => rankOf('view 1abe', search, shown);

describe('rankOf', () => {
  it('matches entries that contain every searched word, in any order', () => {
    expect(rank('sync lab', 'Synchronize Labels', 'Gmail')).toBeGreaterThan(0);
    expect(rank('gmail all m', 'All messages', 'Template · Gmail · Messages')).toBeGreaterThan(0);
    expect(rank('all m', 'Synchronize Labels', 'Gmail')).toBe(0);
  });

  it('ranks entries that begin with the searched word first', () => {
    expect(rank('mess', 'Messages by sender')).toBeGreaterThan(rank('mess', 'All messages'));
  });

  it('ranks entries of unconnected providers last', () => {
    const unconnected = rank('mess', 'Messages by sender', 'Template', 'IMAP · not connected');
    expect(unconnected).toBeGreaterThan(0);
    expect(unconnected).toBeLessThan(rank('mess', 'All messages', 'Template', 'Gmail · Messages'));
  });

  it('does not match ids', () => {
    expect(rank('1abe', 'Views')).toBe(0);
  });

  it('ranks found records last, and the search of all records before them', () => {
    const [all, found] = [rankOf('search all records', 'x', []), rankOf('found google/m/1', 'x', [])];
    expect(found).toBeGreaterThan(0);
    expect(all).toBeGreaterThan(found);
    expect(rank('mess', 'Messages by sender', 'Template', 'IMAP · not connected')).toBeGreaterThan(all);
  });
});
