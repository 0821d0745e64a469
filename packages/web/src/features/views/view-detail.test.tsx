import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { VIEW, WIRE_VIEW } from '../../../test-support/view.ts';
import { ViewDetail } from './view-detail.tsx';

describe('deleting a view', () => {
  // @covers 4.undo-offered-plan
  it.each([true, false])(
    'offers Undo, which restores the view (plan allows changes: %s)',
    async (mayChange) => {
      const calls = serve(({ method, url }) => {
        if (method === 'DELETE') return { body: { ok: true, undo: 'sealed' } };
        if (method === 'POST') return { status: 201, body: WIRE_VIEW };
        return { body: url.includes('/aggregate/') ? { results: [], count: 0, isArray: true } : [] };
      });

      const onDeleted = vi.fn();
      renderAs(
        { mayChange },
        <ViewDetail
          view={VIEW}
          base={undefined}
          isSearchable={false}
          renderExpression={() => null}
          renderWatch={() => null}
          parameterText={() => ''}
          onParameter={() => {}}
          page={1}
          onPage={() => {}}
          preferredColumns={[]}
          onSelect={() => {}}
          onDeleted={onDeleted}
        />,
      );

      fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
      expect(await screen.findByText('Are you sure you want to delete this view?')).toBeTruthy();
      fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
      fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));

      await waitFor(() =>
        expect(calls.at(-1)).toEqual({
          method: 'POST',
          url: '/api/data/views/restore',
          body: { undo: 'sealed' },
        }),
      );
      expect(onDeleted).toHaveBeenCalledOnce();
    },
  );
});
