import { expect, it } from 'vitest';
import { hashPassword, isPassword } from './passwords.ts';

it('leaves room for the passwords of other shares', async () => {
  const hash = await hashPassword('correct horse', 'user a');
  const tries = Promise.allSettled(Array.from({ length: 20 }, () => isPassword('guess', hash, 'share a')));
  expect(await isPassword('correct horse', hash, 'share b')).toBe(true);
  expect((await tries).filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});
