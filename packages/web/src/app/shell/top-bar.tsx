import type { Profile } from '@datadeck/contract';
import {
  CircleHelp,
  LogOut,
  Menu as MenuIcon,
  Monitor,
  Moon,
  Search,
  Server,
  Sun,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { Menu } from '../../ui/menu.tsx';
import { THEME_CHOICES, type ThemeChoice, useTheme } from '../state/theme.ts';

const THEMES: Record<ThemeChoice, { label: string; icon: typeof Sun }> = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
};

function ThemeMenu() {
  const [theme, setTheme] = useTheme();
  const Icon = THEMES[theme].icon;
  return (
    <Menu
      trigger={<IconButton label={`Theme: ${THEMES[theme].label}`} icon={<Icon size={16} />} />}
      items={THEME_CHOICES.map((choice) => {
        const { label, icon: ChoiceIcon } = THEMES[choice];
        return { label, icon: <ChoiceIcon aria-hidden="true" size={14} />, onSelect: () => setTheme(choice) };
      })}
    />
  );
}

/** Returns the first letter as users perceive it: a whole emoji, not half of a surrogate pair. */
const firstLetterOf = (name: string) =>
  new Intl.Segmenter().segment(name.trim())[Symbol.iterator]().next().value?.segment.toUpperCase();

interface TopBarProps {
  user: Profile | null;
  /** The notification bell. */
  notifications: ReactNode;
  onMenu: () => void;
  onSearch: () => void;
  onHelp: () => void;
  onProfile: () => void;
  /** Opens the Administration screen; used for administrators only. */
  onAdmin: () => void;
  onLogout: () => void;
}

/** The top bar: search, notifications, theme, help, and the avatar with its menu. */
export function TopBar({
  user,
  notifications,
  onMenu,
  onSearch,
  onHelp,
  onProfile,
  onAdmin,
  onLogout,
}: TopBarProps) {
  return (
    <header className="print:hidden flex h-14 shrink-0 items-center gap-1 border-b bg-surface px-3 md:px-6">
      <IconButton className="md:hidden" label="Open menu" icon={<MenuIcon size={18} />} onClick={onMenu} />
      <button
        type="button"
        onClick={onSearch}
        className="flex h-8 touch:h-10 touch:min-w-10 items-center justify-center md:justify-start gap-2 rounded-sm px-2 text-13 text-ink-3 transition-colors duration-100 hover:text-ink md:w-64 md:border md:bg-canvas"
      >
        <Search aria-hidden="true" size={14} />
        <span className="sr-only flex-1 text-left md:not-sr-only">Search or jump to…</span>
        <span aria-hidden="true" className="hidden gap-1 md:flex">
          <KeyHint keys="Ctrl" />
          <KeyHint keys="K" />
        </span>
      </button>
      <span className="flex-1" />
      {notifications}
      <IconButton label="Keyboard shortcuts" icon={<CircleHelp size={16} />} onClick={onHelp} />
      <ThemeMenu />
      <Menu
        heading={
          user && (
            <>
              <p title={user.name} className="truncate text-13 font-medium">
                {user.name}
              </p>
              <p title={user.email} className="truncate text-12 text-ink-3">
                {user.email}
              </p>
            </>
          )
        }
        items={[
          { label: 'Profile', icon: <UserRound aria-hidden="true" size={14} />, onSelect: onProfile },
          ...(user?.isAdministrator
            ? [
                {
                  label: 'Administration',
                  icon: <Server aria-hidden="true" size={14} />,
                  onSelect: onAdmin,
                },
              ]
            : []),
          {
            label: 'Log out',
            icon: <LogOut aria-hidden="true" size={14} />,
            separated: true,
            onSelect: onLogout,
          },
        ]}
        trigger={
          <button
            type="button"
            aria-label="Account menu"
            title={user?.name}
            className="ml-2 grid size-8 touch:size-10 place-items-center rounded-full bg-accent text-13 font-semibold text-on-accent"
          >
            {firstLetterOf(user?.name ?? '')}
          </button>
        }
      />
    </header>
  );
}
