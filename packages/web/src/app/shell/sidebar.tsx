import { PanelLeftClose, PanelLeftOpen, Sparkles } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { Link } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useFocusReturn } from '../../ui/focus-return.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { NAVIGATION } from './navigation.ts';
import { SidebarNav } from './sidebar-nav.tsx';

/** The logo, which leads to Home. */
function Brand({ isCollapsed, onNavigate }: { isCollapsed: boolean; onNavigate?: () => void }) {
  return (
    <Link
      to={PATHS.home}
      aria-label="Datadeck: Home"
      title="Home"
      onClick={onNavigate}
      className={classNames(
        'flex h-14 shrink-0 items-center gap-2.5',
        isCollapsed ? 'justify-center' : 'px-5',
      )}
    >
      <BrandMark className="size-6" />
      {!isCollapsed && <span className="text-14 font-semibold tracking-tight">Datadeck</span>}
    </Link>
  );
}

interface SidebarProps {
  isCollapsed: boolean;
  onToggle: () => void;
  onUpgrade: () => void;
}

/** The side menu on wide screens: 64 units wide when collapsed, 256 when expanded. */
export function Sidebar({ isCollapsed, onToggle, onUpgrade }: SidebarProps) {
  return (
    <aside
      aria-label="Side menu"
      data-collapsed={isCollapsed}
      className={classNames(
        'hidden shrink-0 flex-col border-r bg-surface transition-[width] duration-150 md:flex print:hidden',
        isCollapsed ? 'w-16' : 'w-64',
      )}
    >
      <Brand isCollapsed={isCollapsed} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <SidebarNav groups={NAVIGATION} isCollapsed={isCollapsed} />
      </div>
      <div
        className={classNames(
          'flex gap-2 border-t p-3',
          isCollapsed ? 'flex-col items-center' : 'items-center',
        )}
      >
        {isCollapsed ? (
          <IconButton label="Upgrade" icon={<Sparkles size={16} />} onClick={onUpgrade} />
        ) : (
          <Button className="flex-1" icon={<Sparkles size={14} />} onClick={onUpgrade}>
            Upgrade
          </Button>
        )}
        <IconButton
          label={isCollapsed ? 'Expand sidebar' : 'Collapse sidebar'}
          icon={isCollapsed ? <PanelLeftOpen size={16} /> : <PanelLeftClose size={16} />}
          onClick={onToggle}
        />
      </div>
    </aside>
  );
}

interface SidebarSheetProps {
  open: boolean;
  onClose: () => void;
  onUpgrade: () => void;
}

/** The side menu on phones: a sheet over the page. */
export function SidebarSheet({ open, onClose, onUpgrade }: SidebarSheetProps) {
  const { remember, restore } = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={remember}
          onCloseAutoFocus={restore}
          className="fixed inset-y-0 left-0 z-50 flex w-64 animate-slide flex-col bg-raised shadow-high"
        >
          <Radix.Title className="sr-only">Side menu</Radix.Title>
          <Brand isCollapsed={false} onNavigate={onClose} />
          <div className="min-h-0 flex-1 overflow-y-auto">
            <SidebarNav groups={NAVIGATION} isCollapsed={false} onNavigate={onClose} />
          </div>
          <div className="flex border-t p-3">
            <Button
              className="flex-1"
              icon={<Sparkles size={14} />}
              onClick={() => {
                onClose();
                onUpgrade();
              }}
            >
              Upgrade
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
