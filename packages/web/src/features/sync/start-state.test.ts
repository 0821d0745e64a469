import { describe, expect, it } from 'vitest';
import { type StartConditions, startState } from './start-state.ts';

const ready: StartConditions = {
  currentStatus: '',
  lastStatus: '',
  isRequesting: false,
  isDisabled: false,
  mayChange: true,
  isHistory: false,
  usage: { used: 0, allowed: 50 },
};

describe('startState', () => {
  // @covers 4.start-button-sync
  it('is labelled Sync without a previous status, and Resync with one', () => {
    expect(startState(ready)).toEqual({ isHidden: false, isDisabled: false, isBusy: false, label: 'Sync' });
    expect(startState({ ...ready, lastStatus: 'failed' }).label).toBe('Resync');
    expect(startState({ ...ready, lastStatus: 'finished' }).label).toBe('Resync');
  });

  // @covers 4.start-button-synchronizing
  it.each<Partial<StartConditions>>([{ isRequesting: true }, { currentStatus: 'started' }])(
    'is busy, disabled and labelled Synchronizing when %o',
    (change) => {
      expect(startState({ ...ready, lastStatus: 'finished', ...change })).toMatchObject({
        label: 'Synchronizing',
        isBusy: true,
        isDisabled: true,
      });
    },
  );

  // @covers 4.start-button-disabled
  it.each<Partial<StartConditions>>([{ isDisabled: true }, { mayChange: false }])(
    'is disabled when %o',
    (change) => {
      expect(startState({ ...ready, ...change }).isDisabled).toBe(true);
    },
  );

  // @covers 4.start-button-hidden
  it.each<Partial<StartConditions>>([
    { isHistory: true },
    { usage: { used: 50, allowed: 50 } },
    { usage: { used: 51, allowed: 50 } },
  ])('is hidden when %o', (change) => {
    expect(startState({ ...ready, ...change }).isHidden).toBe(true);
  });

  it('is shown below the limit', () => {
    expect(startState({ ...ready, usage: { used: 49, allowed: 50 } }).isHidden).toBe(false);
  });
});
