import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { open, provider } from '../../test-support/pages.tsx';
import { serve } from '../../test-support/render.tsx';
import { WIRE_TEMPLATE } from '../../test-support/template.ts';
import { DRAFT_KEY } from '../features/queries/draft-key.ts';
import { QueryPage } from '../features/queries/query-page.tsx';

vi.mock('../features/expressions/jsonata-editor.tsx', () => new Promise(() => {}));
afterEach(() => localStorage.clear());

describe('the Query page before its editor has loaded', () => {
  it('keeps a click on a field', async () => {
    serve(({ url }) => {
      if (url.includes('/providers')) return { body: [provider] };
      if (url.includes('/templates/')) return { body: [WIRE_TEMPLATE] };
      return { body: url.includes('/aggregation/') ? { results: [{ sender: 'amy' }], count: 1 } : [] };
    });
    open('/query?provider=google&entity=gmail-messages&template=by-sender&step=1&page=1', <QueryPage />);
    fireEvent.click(await screen.findByText('Table'));
    fireEvent.click(await screen.findByRole('button', { name: 'sender' }));
    await waitFor(() =>
      expect(JSON.parse(localStorage.getItem(DRAFT_KEY) ?? '{}')).toEqual({
        'gmail-messages/by-sender': 'sender',
      }),
    );
  });
});
