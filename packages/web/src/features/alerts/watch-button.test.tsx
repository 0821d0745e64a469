import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAs } from '../../../test-support/render.tsx';
import { VIEW } from '../../../test-support/view.ts';
import { WatchButton } from './watch-button.tsx';

describe('WatchButton', () => {
  it.each([
    [0, 'Watch'],
    [1, 'Watched by 1 alert'],
    [3, 'Watched by 3 alerts'],
  ])('shows on Watch that there are %i alerts', (alertCount, title) => {
    renderAs({ mayChange: true }, <WatchButton view={VIEW} parameters={undefined} alertCount={alertCount} />);
    const button = screen.getByRole('button', { name: 'Watch' });
    expect(button.title).toBe(title);
    expect(button.textContent).toBe(alertCount === 0 ? 'Watch' : `Watch${alertCount}`);
  });
});
