import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs } from '../../../test-support/render.tsx';
import { VIEW } from '../../../test-support/view.ts';
import { Dependees } from './view-dependees.tsx';

describe('Dependees', () => {
  it('shows six of many dependees, and all of them on demand', () => {
    const dependees = Array.from({ length: 40 }, (_, number) => ({
      id: `v${number}`,
      title: `View ${number}`,
    }));
    const onSelect = vi.fn();
    renderAs({ mayChange: true }, <Dependees view={{ ...VIEW, dependees }} onSelect={onSelect} />);
    expect(screen.getAllByRole('button', { name: /^View / })).toHaveLength(6);
    fireEvent.click(screen.getByRole('button', { name: '34 more' }));
    expect(screen.getAllByRole('button', { name: /^View / })).toHaveLength(40);
    fireEvent.click(screen.getByRole('button', { name: 'View 39' }));
    expect(onSelect).toHaveBeenCalledWith('v39');
  });
});
