import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { address, open } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { VIEW } from '../../../test-support/view.ts';
import { useOfferView } from './use-offer-view.tsx';

function Saving() {
  const { offerView, boardDialog } = useOfferView();
  return (
    <>
      <button type="button" onClick={() => offerView(VIEW)}>
        Save
      </button>
      {boardDialog}
    </>
  );
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

it('opens a saved view', async () => {
  open('/', <Saving />);
  await press('Save');
  await press('Open');
  expect(address()).toContain('view=v');
});

it('adds a saved view to a board without opening it first', async () => {
  const board = { _id: 'b', title: 'Team', tiles: [], version: 1, weeklyMail: false, updated_at: '' };
  const calls = serve(({ method }) => ({ body: method === 'POST' ? board : [] }));
  open('/', <Saving />);
  await press('Save');
  await press('Add to board');
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Team' } });
  await press('Add');
  expect(await screen.findByText('Added to Team')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
    title: 'Team',
    tiles: [{ kind: 'view', viewId: 'v', picture: 'table' }],
  });
});
