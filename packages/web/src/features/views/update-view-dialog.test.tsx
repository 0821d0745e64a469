import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAs, serve } from '../../test-render.tsx';
import { UpdateViewDialog } from './update-view-dialog.tsx';
import { VIEW } from './view.fixture.ts';

const view = { ...VIEW, category: 'c' };

/** Changes the title of a view alone and saves it. @returns what is sent */
async function rename(categories: { _id: string; title: string }[]): Promise<unknown> {
  const calls = serve(() => ({ body: view }));
  renderAs(
    { mayChange: true },
    <UpdateViewDialog
      view={view}
      categories={categories}
      renderExpression={({ value }) => <p>{value}</p>}
      onClose={() => {}}
    />,
  );
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Ours' } });
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await waitFor(() => expect(save.disabled).toBe(false));
  fireEvent.click(save);
  await waitFor(() => expect(calls).toHaveLength(1));
  return calls[0]?.body;
}

describe('UpdateViewDialog', () => {
  const sent = { title: 'Ours', description: 'What it is', jsonNataQuery: '$', category: 'c' };

  it('keeps the category of a view whose title was changed', async () => {
    expect(await rename([{ _id: 'c', title: 'Weekly' }])).toEqual(sent);
    expect(screen.getByText('Weekly')).toBeTruthy();
  });

  it('keeps it although the list of categories is not there', async () => {
    expect(await rename([])).toEqual(sent);
  });
});
