import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { type Call, renderAs, serve } from '../../../test-support/render.tsx';
import { CategoryFormDialog } from './category-form-dialog.tsx';

const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
const type = (value: string) => fireEvent.change(screen.getByLabelText('Title'), { target: { value } });

/** Opens the dialog for a new category. */
function show(answer: (call: Call) => { status?: number; body: unknown }) {
  const calls = serve(answer);
  const onClose = vi.fn();
  renderAs({ mayChange: true }, <CategoryFormDialog onClose={onClose} />);
  return { calls, onClose };
}

describe('CategoryFormDialog', () => {
  // @covers 2.create-category-modal 4.save-disabled-until 5.category-up-20 8.category-created-successfully
  it("has the heading 'Create View', and saves a title of up to 20 characters", async () => {
    const { calls, onClose } = show(({ body }) => ({ status: 201, body: { _id: 'c', ...(body as object) } }));
    expect(screen.getByRole('heading', { name: 'Create View' })).toBeTruthy();
    expect(save().disabled).toBe(true);
    expect(screen.getByLabelText('Title')).toHaveProperty('maxLength', 50);
    type('x'.repeat(21));
    fireEvent.blur(screen.getByLabelText('Title'));
    expect(await screen.findByText('Must be 20 characters or less')).toBeTruthy();
    expect(save().disabled).toBe(true);

    type('For reading');
    await waitFor(() => expect(save().disabled).toBe(false));
    fireEvent.click(save());
    expect(await screen.findByText('Category was created successfully')).toBeTruthy();
    expect(calls).toEqual([
      { method: 'POST', url: '/api/data/views/category', body: { title: 'For reading' } },
    ]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  // @covers 8.category-creation-unsuccessful
  it('reports a failure and stays open', async () => {
    const { onClose } = show(() => ({ status: 500, body: {} }));
    type('Never');
    await waitFor(() => expect(save().disabled).toBe(false));
    fireEvent.click(save());
    expect(await screen.findByText('Category creation was unsuccessful')).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
  });
});
