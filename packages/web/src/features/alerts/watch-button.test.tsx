import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAs } from '../../../test-support/render.tsx';
import { VIEW } from '../../../test-support/view.ts';
import { WatchButton } from './watch-button.tsx';

describe('WatchButton', () => {
  it.each([
    [0, 'Watch', 'Watch'],
    [1, 'Watching (1)', 'Watched by 1 alert'],
    [3, 'Watching (3)', 'Watched by 3 alerts'],
  ])('says that there are %i alerts: %s', (alertCount, name, title) => {
    renderAs({ mayChange: true }, <WatchButton view={VIEW} parameters={undefined} alertCount={alertCount} />);
    const button = screen.getByRole('button', { name });
    expect(button.title).toBe(title);
    expect(button.textContent).toBe(name);
  });
});
