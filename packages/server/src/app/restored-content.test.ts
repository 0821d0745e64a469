import { describe, expect, it } from 'vitest';
import { requireAllowed } from '../platform/backup/index.ts';
import { StartError } from '../platform/start-error.ts';
import { OMITTED_TABLES } from './backup.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
const table = (name: string) => ({ name, columns: [] });
const encrypted = { omittedTables: OMITTED_TABLES, isEncrypted: true };
const plain = { omittedTables: OMITTED_TABLES, isEncrypted: false };
const users = [table('users'), table('syncs')];

describe('requireAllowed', () => {
  it.each(OMITTED_TABLES)('refuses the table %s, which backups leave out', (name) => {
    for (const origin of [plain, encrypted])
      expect(() => requireAllowed({ tables: [...users, table(name)] }, origin)).toThrow(StartError);
  });

  it('leaves sessions, SQL roles and the search index out', () => {
    expect(OMITTED_TABLES).toEqual(
      expect.arrayContaining([
        ...['sessions', 'sign_in_tokens', 'auth_attempts', 'sql_roles', 'broadcast_channel'],
        ...['search_entries', 'search_values', 'search_pending', 'datadeck_migrations'],
      ]),
    );
  });

  it('accepts a key from an encrypted backup only', () => {
    expect(() => requireAllowed({ tables: users, keyFile: KEY }, plain)).toThrow(/not encrypted itself/);
    expect(() => requireAllowed({ tables: users, keyFile: `${KEY}\n` }, encrypted)).not.toThrow();
    expect(() => requireAllowed({ tables: users }, plain)).not.toThrow();
  });

  it.each(['', '\n', 'short', `${KEY},`, `${KEY}${KEY}`, '\u0000'.repeat(32)])(
    'refuses a key that cannot be parsed: %j',
    (keyFile) => {
      expect(() => requireAllowed({ tables: users, keyFile }, encrypted)).toThrow(/key in it is not valid/);
    },
  );
});
