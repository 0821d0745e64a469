import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Outlet, useNavigate } from 'react-router';
import { z } from 'zod';
import { PATHS } from '../../address/paths.ts';
import { readJson, storeJson } from '../../api/json-storage.ts';
import type { Notification } from '../../api/models.ts';
import { PermissionProvider } from '../../api/permission.ts';
import { useBrowserNotifications } from '../../features/notifications/browser-notifications.ts';
import { NotificationBell } from '../../features/notifications/notification-bell.tsx';
import { SEARCH_BOX_ID } from '../../features/search/search-box-id.ts';
import { useLogoutMutation } from '../../features/sign-in/accounts-api.ts';
import { signedOut } from '../../features/sign-in/auth-slice.ts';
import { useFirstTimeZone } from '../../features/sign-in/use-time-zone.ts';
import { useUser } from '../../features/sign-in/use-user.ts';
import { ConfirmationDialog } from '../../ui/confirmation.tsx';
import { fetchCode } from '../../ui/fetch-code.ts';
import { useLiveUpdates } from '../state/live-updates.ts';
import { DataLoading } from './data-loading.tsx';
import { loadPalette, PaletteDialog } from './palette-dialog.tsx';
import { SessionGate } from './session-gate.tsx';
import { useShortcuts } from './shortcuts.ts';
import { ShortcutsSheet } from './shortcuts-sheet.tsx';
import { Sidebar, SidebarSheet } from './sidebar.tsx';
import { CONTENT_ID, SkipLink } from './skip-link.tsx';
import { recordPath, subjectPath } from './subject-path.ts';
import { TopBar } from './top-bar.tsx';
import { useUnsavedBlocker } from './unsaved-blocker.ts';
import { UpgradeModal } from './upgrade-modal.tsx';
import { usePermission } from './use-permission.ts';

const WebhookDialog = lazy(async () => ({
  default: await fetchCode(
    async () => (await import('../../features/notifications/webhook-dialog.tsx')).WebhookDialog,
  ),
}));
const BrowserNotifier = lazy(() =>
  fetchCode(() => import('../../features/notifications/browser-notifier.tsx')),
);
/** Delay after which the palette's code is loaded in the background, ms. */
const PALETTE_DELAY = 1500;
const SIDEBAR_KEY = 'dd-sidebarCollapsed';
/** Window width below which the sidebar starts collapsed, px, unless the user has chosen otherwise. */
const MIN_EXPANDED_WIDTH = 1024;

type Overlay = 'none' | 'menu' | 'palette' | 'shortcuts' | 'upgrade' | 'webhook';

function useLogout(): () => Promise<void> {
  const dispatch = useDispatch();
  const [logout] = useLogoutMutation();
  return async () => {
    await logout();
    dispatch(signedOut());
  };
}

function SignedInShell() {
  const navigate = useNavigate();
  const permission = usePermission();
  const { data: user = null } = useUser();
  const logout = useLogout();
  useFirstTimeZone();
  useLiveUpdates();
  useUnsavedBlocker();
  const [overlay, setOverlay] = useState<Overlay>('none');
  const [isCollapsed, setIsCollapsed] = useState(() =>
    readJson(SIDEBAR_KEY, window.innerWidth < MIN_EXPANDED_WIDTH, (value) => z.boolean().parse(value)),
  );
  const close = () => setOverlay('none');
  const notifications = useBrowserNotifications();
  const openNotification = useCallback(
    (notification: Notification) => void navigate(subjectPath(notification)),
    [navigate],
  );
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), PALETTE_DELAY);
    return () => clearTimeout(timer);
  }, []);

  function toggleSidebar() {
    storeJson(SIDEBAR_KEY, !isCollapsed);
    setIsCollapsed(!isCollapsed);
  }

  useShortcuts({
    'mod+k': () => setOverlay(overlay === 'palette' ? 'none' : 'palette'),
    '?': () => setOverlay('shortcuts'),
    '[': toggleSidebar,
    '/': () => {
      const box = document.getElementById(SEARCH_BOX_ID);
      if (box) box.focus();
      else void navigate(PATHS.search);
    },
    'g o': () => void navigate(PATHS.home),
    'g f': () => void navigate(PATHS.search),
    'g p': () => void navigate(PATHS.providers),
    'g s': () => void navigate(PATHS.syncs),
    'g h': () => void navigate(PATHS.history),
    'g q': () => void navigate(PATHS.query),
    'g v': () => void navigate(PATHS.views),
    'g b': () => void navigate(PATHS.boards),
    'g l': () => void navigate(PATHS.alerts),
    'g a': () => void navigate(PATHS.account),
  });

  return (
    <PermissionProvider value={permission}>
      <SkipLink />
      <div className="flex h-dvh flex-col">
        <section
          aria-label="Product status"
          className="flex h-5 shrink-0 items-center justify-center bg-accent-soft text-12 text-accent-text print:hidden"
        >
          Alpha: this product is under development
        </section>
        <div className="flex min-h-0 flex-1">
          <Sidebar
            isCollapsed={isCollapsed}
            onToggle={toggleSidebar}
            onUpgrade={() => setOverlay('upgrade')}
          />
          <div className="flex min-w-0 flex-1 flex-col">
            <TopBar
              user={user}
              notifications={
                <NotificationBell
                  onOpen={openNotification}
                  onRecord={(about, row) => void navigate(recordPath(about, row))}
                  onWebhook={() => setOverlay('webhook')}
                  onAlerts={() => void navigate(PATHS.alerts)}
                />
              }
              onMenu={() => setOverlay('menu')}
              onSearch={() => setOverlay('palette')}
              onHelp={() => setOverlay('shortcuts')}
              onProfile={() => void navigate(PATHS.account)}
              onAdmin={() => void navigate(PATHS.admin)}
              onLogout={() => void logout()}
            />
            <div className="relative flex min-h-0 flex-1 flex-col overflow-y-auto">
              <DataLoading>
                <main
                  id={CONTENT_ID}
                  tabIndex={-1}
                  className="@container mx-auto w-full max-w-[90rem] flex-1 p-4 outline-none md:p-8"
                >
                  <Outlet />
                </main>
              </DataLoading>
            </div>
          </div>
        </div>
      </div>
      <SidebarSheet open={overlay === 'menu'} onClose={close} onUpgrade={() => setOverlay('upgrade')} />
      {overlay === 'upgrade' && <UpgradeModal onClose={close} />}
      {overlay === 'shortcuts' && <ShortcutsSheet onClose={close} />}
      {overlay === 'webhook' && (
        <Suspense>
          <WebhookDialog onClose={close} />
        </Suspense>
      )}
      {overlay === 'palette' && (
        <PaletteDialog
          onClose={close}
          onUpgrade={() => setOverlay('upgrade')}
          onShortcuts={() => setOverlay('shortcuts')}
        />
      )}
      {notifications === 'on' && (
        <Suspense>
          <BrowserNotifier onOpen={openNotification} />
        </Suspense>
      )}
      <ConfirmationDialog />
    </PermissionProvider>
  );
}

/** The signed-in part of the app: banner, side menu, top bar and the current screen. */
export function Shell() {
  return (
    <SessionGate>
      <SignedInShell />
    </SessionGate>
  );
}
