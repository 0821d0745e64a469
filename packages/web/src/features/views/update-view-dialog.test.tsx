import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { VIEW } from '../../../test-support/view.ts';
import { UpdateViewDialog } from './update-view-dialog.tsx';

const view = { ...VIEW, category: 'c' };

/** Changes only the title of a view and saves it. @returns the request body */
async function rename(categories: { status?: number; body: unknown }): Promise<unknown> {
  const calls = serve(({ method }) => (method === 'GET' ? categories : { body: view }));
  renderAs(
    { mayChange: true },
    <UpdateViewDialog
      view={view}
      isSearchable={false}
      renderExpression={({ value }) => <p>{value}</p>}
      onClose={() => {}}
    />,
  );
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Ours' } });
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await waitFor(() => expect(save.disabled).toBe(false));
  fireEvent.click(save);
  await waitFor(() => expect(calls).toHaveLength(2));
  return calls[1]?.body;
}

describe('UpdateViewDialog', () => {
  const sent = { title: 'Ours', description: 'What it is', jsonNataQuery: '$', category: 'c' };

  it('keeps the category when only the title changes', async () => {
    expect(await rename({ body: [{ _id: 'c', title: 'Weekly' }] })).toEqual(sent);
    expect(screen.getByText('Weekly')).toBeTruthy();
  });

  // @covers 5.update-title-required 8.view-updated-successfully
  it('requires a title, and reports that the view was updated', async () => {
    const onClose = vi.fn();
    serve(({ method }) => ({ body: method === 'GET' ? [] : view }));
    renderAs(
      { mayChange: true },
      <UpdateViewDialog view={view} isSearchable={false} renderExpression={() => null} onClose={onClose} />,
    );
    const title = screen.getByLabelText('Title');
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    expect(save.disabled).toBe(true);
    fireEvent.change(title, { target: { value: '' } });
    fireEvent.blur(title);
    expect(await screen.findByText('Required')).toBeTruthy();
    expect(save.disabled).toBe(true);
    fireEvent.change(title, { target: { value: 'Ours' } });
    await waitFor(() => expect(save.disabled).toBe(false));
    fireEvent.click(save);
    expect(await screen.findByText('View was updated successfully')).toBeTruthy();
    expect(onClose).toHaveBeenCalledOnce();
  });

  // @covers 8.view-update-unsuccessful
  it('reports a failed update and stays open', async () => {
    const onClose = vi.fn();
    serve(({ method }) => (method === 'GET' ? { body: [] } : { status: 500, body: {} }));
    renderAs(
      { mayChange: true },
      <UpdateViewDialog view={view} isSearchable={false} renderExpression={() => null} onClose={onClose} />,
    );
    fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Never' } });
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    await waitFor(() => expect(save.disabled).toBe(false));
    fireEvent.click(save);
    expect(await screen.findByText('View update was unsuccessful')).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
  });

  // @covers 4.update-view-keeps
  it('keeps the category and offers Try again when the categories fail to load', async () => {
    expect(await rename({ status: 500, body: {} })).toEqual(sent);
    expect(screen.getByText('The categories could not be loaded.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });

  // @covers 5.update-view-does
  it('does not save an expression that does not parse', async () => {
    const calls = serve(() => ({ body: [] }));

    renderAs(
      { mayChange: true },
      <UpdateViewDialog
        view={view}
        isSearchable={false}
        renderExpression={({ value, onChange, error }) => (
          <>
            <input aria-label="Query" value={value} onChange={(event) => onChange(event.target.value)} />
            <p>{error}</p>
          </>
        )}
        onClose={() => {}}
      />,
    );

    fireEvent.change(screen.getByLabelText('Query'), { target: { value: '$count($' } });
    fireEvent.blur(screen.getByLabelText('Title'));
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    fireEvent.submit(save.form as HTMLFormElement);

    expect(await screen.findByText(/^Expected "\)"/)).toBeTruthy();
    await waitFor(() => expect(save.disabled).toBe(true));
    expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
