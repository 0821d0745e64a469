import type { UserEntity } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { SCHEDULE } from '../../../test-support/objects.ts';
import { costSentence, exceedsPlan, nextSentence } from './schedule-words.ts';
import { usageWords } from './usage-counter.tsx';

const entity = { usage: { used: 0, allowed: 50, resetsAt: '' } } as UserEntity;

describe('costSentence', () => {
  it('states the runs per month, and warns when they exceed the plan', () => {
    expect(exceedsPlan('daily', entity)).toBe(false);
    expect(costSentence('daily', entity)).toBe('Daily uses about 30 runs a month; your plan allows 50.');
    expect(exceedsPlan('hourly', entity)).toBe(true);
    expect(costSentence('hourly', entity)).toMatch(
      /^Hourly uses about 720 runs a month; your plan allows 50\. They last about 2 days; after that, you cannot synchronize/,
    );
    expect(costSentence('off', entity)).toBe(
      'Daily uses about 30 of your 50 runs a month, hourly about 720.',
    );
  });
});

describe('costSentence without a limit of runs', () => {
  it('states the runs per month, and that the plan has no limit', () => {
    const unlimited = { usage: { ...entity.usage, allowed: null } } as UserEntity;
    expect(exceedsPlan('hourly', unlimited)).toBe(false);
    expect(costSentence('hourly', unlimited)).toBe(
      'Hourly uses about 720 runs a month. Your plan has no limit of runs.',
    );
    expect(usageWords({ used: 12, allowed: null })).toBe('12 (no limit)');
  });
});

describe('nextSentence', () => {
  it('states the next run, and the reason when the last one was blocked', () => {
    expect(nextSentence(SCHEDULE)).toMatch(/^Next run: Nov 22, 2026, \d+:05 [AP]M\.$/);
    expect(nextSentence({ ...SCHEDULE, blockedReason: 'month-used-up' })).toMatch(
      /^The month's runs are used up\. Next run: /,
    );
  });
});
