import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAs } from '../../test-support/render.tsx';
import { toasts } from './toast.tsx';

/** Height of the alpha banner, px. */
const BANNER = 20;

describe('Toasts', () => {
  // @covers 8.toasts-leave-alpha
  it('leave the alpha banner in view', () => {
    const { container } = renderAs({ mayChange: true }, null);
    const place = container.ownerDocument.querySelector<HTMLElement>('[data-rht-toaster]');
    expect(Number.parseInt(place?.style.top ?? '0', 10)).toBeGreaterThanOrEqual(BANNER);
  });

  it('show the same failure once at a time', async () => {
    renderAs({ mayChange: true }, null);
    for (let times = 0; times < 5; times++) toasts.errorOnce('No luck');
    await waitFor(() => expect(screen.getAllByText('No luck')).toHaveLength(1));
  });
});
