import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { ConfirmationDialog, confirm, confirmDeletion } from './confirmation.tsx';

afterEach(cleanup);

function asked(ask: () => Promise<boolean>): Promise<boolean> {
  let answer = Promise.resolve(false);
  act(() => {
    answer = ask();
  });
  return answer;
}
const button = () => screen.getByRole('button', { name: 'Confirm' });

describe('ConfirmationDialog', () => {
  it('shows Confirm in the error colour for deletions only', async () => {
    render(<ConfirmationDialog />);
    const deletion = asked(() => confirmDeletion('Delete it', 'It will be gone.'));
    expect(screen.getByRole('alertdialog', { name: 'Delete it' }).textContent).toContain('It will be gone.');
    expect(button().className).toContain('text-error-text');
    fireEvent.click(button());
    expect(await deletion).toBe(true);
    const other = asked(() => confirm('Continue', 'Continue?'));
    expect(button().className).not.toContain('text-error-text');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await other).toBe(false);
  });

  it('resolves to false when it is unmounted, and does not reopen', async () => {
    const { unmount } = render(<ConfirmationDialog />);
    const answer = asked(() => confirmDeletion('Delete it', 'It will be gone.'));
    unmount();
    expect(await answer).toBe(false);
    render(<ConfirmationDialog />);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});
