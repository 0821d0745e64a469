import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { SaveQueryDialog } from './save-query-dialog.tsx';

const show = (query: string) =>
  renderAs({ mayChange: true }, <SaveQueryDialog query={query} onClose={vi.fn()} />);

describe('SaveQueryDialog', () => {
  // @covers 5.saved-queries-limited
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
