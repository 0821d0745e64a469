import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { SaveQueryDialog } from './save-query-dialog.tsx';

const show = (query: string, onClose = vi.fn()) =>
  renderAs({ mayChange: true }, <SaveQueryDialog query={query} onClose={onClose} />);
const type = (value: string) => fireEvent.change(screen.getByLabelText('Title'), { target: { value } });
const saveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });

describe('SaveQueryDialog', () => {
  // @covers 2.save-query-dialog 5.saved-query-form 8.jsonnata-query-saved
  it('saves the query under a title of up to 20 characters', async () => {
    const saved = { _id: 'q', title: 'Number of rows', jsonNataQuery: '$count($)', updated_at: '' };
    const calls = serve(() => ({ status: 201, body: saved }));
    const onClose = vi.fn();
    show('$count($)', onClose);
    expect(saveButton().disabled).toBe(true);
    type('x'.repeat(21));
    fireEvent.blur(screen.getByLabelText('Title'));
    expect(await screen.findByText('Must be 20 characters or less')).toBeTruthy();
    expect(saveButton().disabled).toBe(true);
    type('Number of rows');
    await waitFor(() => expect(saveButton().disabled).toBe(false));
    fireEvent.click(saveButton());
    expect(await screen.findByText('JsonNata query was saved successfully')).toBeTruthy();
    const body = { title: 'Number of rows', jsonNataQuery: '$count($)' };
    expect(calls).toEqual([{ method: 'POST', url: '/api/data/jnata-queries', body }]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  // @covers 8.saving-query-unsuccessful
  it('reports a failure and stays open', async () => {
    serve(() => ({ status: 500, body: {} }));
    const onClose = vi.fn();
    show('$', onClose);
    type('Never');
    await waitFor(() => expect(saveButton().disabled).toBe(false));
    fireEvent.click(saveButton());
    expect(await screen.findByText('Saving query was unsuccessful')).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
  });

  it('says at the query that it is too long', () => {
    show('x'.repeat(1501));
    expect(screen.getByRole('alert').textContent).toBe('Query: Must be 1500 characters or less');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  });

  it('shows the parse error of the server at the query', async () => {
    const error = { code: 'expression-invalid', message: 'The expression ends too early' };
    serve(() => ({ status: 422, body: { error } }));
    show('$[');
    fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Mine' } });
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    await vi.waitFor(() => expect(save.disabled).toBe(false), 5000);
    fireEvent.click(save);
    expect((await screen.findByText(/ends too early/)).textContent).toContain('Query:');
  });
});
