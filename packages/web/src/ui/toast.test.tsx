import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAs } from '../../test-support/render.tsx';
import { toasts } from './toast.tsx';

/** Height of the alpha banner, px. */
const BANNER = 20;

describe('Toasts', () => {
  // @covers 8.toasts-leave-alpha
  it('keeps the alpha banner visible', () => {
    const { container } = renderAs({ mayChange: true }, null);
    const toaster = container.ownerDocument.querySelector<HTMLElement>('[data-rht-toaster]');
    expect(Number.parseInt(toaster?.style.top ?? '0', 10)).toBeGreaterThanOrEqual(BANNER);
  });

  it('shows equal failures as one toast', async () => {
    renderAs({ mayChange: true }, null);
    for (let times = 0; times < 5; times++) toasts.errorOnce('No luck');
    await waitFor(() => expect(screen.getAllByText('No luck')).toHaveLength(1));
  });
});
