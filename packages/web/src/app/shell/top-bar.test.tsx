import type { Profile } from '@datadeck/contract';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAs } from '../../../test-support/render.tsx';
import { TopBar } from './top-bar.tsx';

describe('TopBar', () => {
  it.each([
    ['ada', 'A'],
    [' 🦊 Fox', '🦊'],
    ['🧑🏽‍🚀', '🧑🏽‍🚀'],
    ['éva', 'É'],
    ['', ''],
  ])('shows the avatar of %j as %j', (name, letter) => {
    const user: Profile = {
      _id: 'u',
      name,
      email: 'ada@example.org',
      status: 'pro',
      signInProvider: null,
      timeZone: 'UTC',
    };
    const none = () => {};
    renderAs(
      { mayChange: true },
      <TopBar
        user={user}
        notifications={null}
        onMenu={none}
        onSearch={none}
        onHelp={none}
        onProfile={none}
        onAdmin={none}
        onLogout={none}
      />,
    );
    expect(screen.getByRole('button', { name: 'Account menu' }).textContent).toBe(letter);
  });
});
