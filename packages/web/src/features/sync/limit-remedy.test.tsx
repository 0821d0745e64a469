import type { Usage } from '@datadeck/contract';
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { describe, expect, it } from 'vitest';
import { ENTITY } from '../../../test-support/objects.ts';
import { serve } from '../../../test-support/render.tsx';
import { createStore } from '../../app/state/store.ts';
import { signedIn } from '../sign-in/auth-slice.ts';
import { UsageSummary } from './usage-summary.tsx';

/** Shows the month's usage to a user with a plan. */
function show(usage: Pick<Usage, 'used' | 'allowed'>, status: string) {
  const name = { _id: 'u1', name: 'Ada', email: 'ada@example.org', status };
  serve(() => ({ body: { ...name, signInProvider: null, timeZone: 'UTC' } }));
  const store = createStore();
  store.dispatch(signedIn('t'));
  render(
    <Provider store={store}>
      <UsageSummary
        entities={[{ ...ENTITY, usage: { ...ENTITY.usage, ...usage } }]}
        connected={[ENTITY.id]}
        titles={new Map()}
      />
    </Provider>,
  );
}
const remedy = () => screen.findByText(/^The administrator can raise this/);

describe('the usage of a month', () => {
  it('warns before the limit, and says how the administrator raises it', async () => {
    show({ used: 49, allowed: 50 }, 'standard');
    expect(screen.getByText('49/50')).toBeTruthy();
    expect(screen.getByText('Only 1 run left this month.')).toBeTruthy();
    expect((await remedy()).textContent).toBe(
      'The administrator can raise this: datadeck plan ada@example.org pro, or PLAN_LIMITS.',
    );
  });

  it('names the setting at the limit of the largest plan', async () => {
    show({ used: 300, allowed: 300 }, 'pro');
    expect(screen.getByText('All runs of this month are used.')).toBeTruthy();
    expect((await remedy()).textContent).toBe('The administrator can raise this: PLAN_LIMITS.');
  });

  it('says nothing with enough runs or without a limit', async () => {
    show({ used: 39, allowed: 50 }, 'standard');
    show({ used: 900, allowed: null }, 'standard');
    expect(screen.queryByText(/this month\.$|are used\.$|^The administrator/)).toBeNull();
  });
});
