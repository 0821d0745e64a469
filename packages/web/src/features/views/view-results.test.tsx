import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { VIEW } from '../../../test-support/view.ts';
import { ViewResults } from './view-results.tsx';

const show = () =>
  renderAs(
    { mayChange: true },
    <ViewResults
      view={VIEW}
      parameters={undefined}
      account={undefined}
      page={1}
      onPage={() => {}}
      preferredColumns={[]}
    />,
  );
const texts = async () => {
  const sentence = await screen.findByText('Failed fetching view data. Query might be too complex.');
  return sentence.nextElementSibling?.textContent;
};

// @covers 8.failed-fetching-view 2.view-failure-failed
describe('ViewResults after a failed load', () => {
  it('names an unreachable server as the reason, not the query', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    show();
    const sentence = await screen.findByText('Failed fetching view data.');
    expect(sentence.nextElementSibling?.textContent).toBe(
      'Reason: The server could not be reached. Check the connection.',
    );
  });

  it("names the server's reason directly below the sentence", async () => {
    const error = { code: 'internal', message: 'Something went wrong in Datadeck itself. Try again.' };
    serve(() => ({ status: 500, body: { error } }));
    show();
    expect(await texts()).toBe('Reason: Something went wrong in Datadeck itself.');
  });

  it('shows the error of an expression that fails', async () => {
    const error = { code: 'expression-failed', message: 'no such luck' };
    serve(() => ({ status: 422, body: { error } }));
    show();
    expect(await texts()).toBe('Error: no such luck');
  });
});
