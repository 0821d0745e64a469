import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Plug } from 'lucide-react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it } from 'vitest';
import type { NavGroup } from './navigation.ts';
import { SidebarNav } from './sidebar-nav.tsx';

const groups: NavGroup[] = [
  {
    title: 'Integrations',
    icon: Plug,
    items: [
      { title: 'Providers', path: '/p', icon: Plug },
      { title: 'Exports', path: '/e', icon: Plug, isBlocked: true },
    ],
  },
  { title: 'Data Management', icon: Plug, items: [{ title: 'Query', path: '/q', icon: Plug }] },
];

function show(path: string) {
  render(
    <MemoryRouter initialEntries={[path]}>
      <SidebarNav groups={groups} isCollapsed={false} />
    </MemoryRouter>,
  );
}

afterEach(cleanup);

describe('SidebarNav', () => {
  it('shows a blocked item that cannot be opened', () => {
    show('/p');
    const blocked = screen.getByText('Exports').parentElement;
    expect(blocked?.getAttribute('aria-disabled')).toBe('true');
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Providers', 'Query']);
  });

  it('highlights the item of the route, and closes and opens a group', () => {
    show('/q');
    expect(screen.getByRole('link', { name: 'Query' }).getAttribute('aria-current')).toBe('page');
    expect(screen.getByRole('link', { name: 'Providers' }).getAttribute('aria-current')).toBeNull();
    const group = screen.getByRole('button', { name: 'Data Management' });
    expect(group.getAttribute('aria-expanded')).toBe('true');
    fireEvent.click(group);
    expect(screen.queryByRole('link', { name: 'Query' })).toBeNull();
    fireEvent.click(group);
    expect(screen.getByRole('link', { name: 'Query' })).toBeTruthy();
  });
});
