import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Plug } from 'lucide-react';
import { MemoryRouter, useLocation } from 'react-router';
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

function Address() {
  return <output>{useLocation().pathname}</output>;
}

function show(path: string, isCollapsed = false) {
  render(
    <MemoryRouter initialEntries={[path]}>
      <SidebarNav groups={groups} isCollapsed={isCollapsed} />
      <Address />
    </MemoryRouter>,
  );
}

afterEach(cleanup);

describe('SidebarNav', () => {
  // @covers 2.some-sidebar-items
  it('shows a blocked item as disabled text instead of a link', () => {
    show('/p');
    const blocked = screen.getByText('Exports').parentElement;
    expect(blocked?.getAttribute('aria-disabled')).toBe('true');
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Providers', 'Query']);
  });

  // @covers 2.some-sidebar-items
  it.each([
    ['wide', false],
    ['collapsed', true],
  ])('does not navigate on click or Enter on a blocked item in the %s sidebar', (_, isCollapsed) => {
    show('/p', isCollapsed);
    const text = screen.getByText('Exports');
    const blocked = text.parentElement as HTMLElement;
    expect(blocked.title).toBe('Not available');
    expect(blocked.tabIndex).toBe(-1);
    expect(blocked.querySelector('a, button, [tabindex]')).toBeNull();
    for (const target of [text, blocked]) {
      fireEvent.click(target);
      fireEvent.keyDown(target, { key: 'Enter' });
    }
    expect(screen.getByRole('status').textContent).toBe('/p');
    fireEvent.click(screen.getByRole('link', { name: 'Query' }));
    expect(screen.getByRole('status').textContent).toBe('/q');
  });

  // @covers 2.group-sidebar-closes
  it('highlights the item of the route, and collapses and expands a group', () => {
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
