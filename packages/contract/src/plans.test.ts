import { describe, expect, it } from 'vitest';
import { isAlmostUsedUp } from './entities.ts';
import { limitRemedy, planCommand } from './plans.ts';

const ADA = { id: '0b1f', email: 'ada@example.org', emailVerified: true, plan: 'standard' as const };

describe('limitRemedy', () => {
  it('names the command and the setting', () => {
    expect(limitRemedy(ADA)).toBe(
      'The administrator can raise this: `datadeck plan ada@example.org pro`, or PLAN_LIMITS',
    );
  });

  it.each(['demo', 'pro'] as const)(
    'names the setting alone on the plan %s, which has no next one',
    (plan) => {
      expect(limitRemedy({ ...ADA, plan })).toBe('The administrator can raise this: PLAN_LIMITS');
    },
  );

  it.each([
    '',
    '-rf@example.org',
    'a;reboot@example.org',
    '$(reboot)@example.org',
    '"a b"@example.org',
    'a@b\nc',
  ])('names the account by its id when a shell would not read %j as one word', (email) => {
    expect(planCommand({ ...ADA, email })).toBe('datadeck plan 0b1f pro');
  });

  it('names an account whose address is unverified by its id', () => {
    expect(planCommand({ ...ADA, emailVerified: false })).toBe('datadeck plan 0b1f pro');
  });
});

describe('isAlmostUsedUp', () => {
  it.each([
    [39, 50, false],
    [40, 50, true],
    [49, 50, true],
    [50, 50, false],
    [0, 1, false],
    [9, null, false],
  ])('says of %d of %s runs: %s', (used, allowed, expected) => {
    expect(isAlmostUsedUp({ used, allowed })).toBe(expected);
  });
});
