import { Bell, BellOff, CheckCheck, Webhook as WebhookIcon } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useRef, useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import type { Notification } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import {
  useNotificationsQuery,
  useReadNotificationMutation,
  useReadNotificationsMutation,
} from './notifications-api.ts';

interface ItemProps {
  notification: Notification;
  onOpen: () => void;
  onRead: () => void;
  onRecord: OpenRecord;
}

/** Opens the record of a row that a notification names. */
type OpenRecord = (notification: Notification, row: { recordId: string; account: string | null }) => void;

function Item({ notification, onOpen, onRead, onRecord }: ItemProps) {
  const { title, message, advice, created_at, isRead, rows } = notification;
  return (
    <li className="flex gap-3 border-b px-4 py-3 last:border-b-0">
      <span
        role="img"
        aria-label={isRead ? 'Read' : 'Unread'}
        className={classNames('mt-1.5 size-2 shrink-0 rounded-full', isRead ? 'bg-line-strong' : 'bg-error')}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1 text-13">
        <p className="font-medium break-words">{title}</p>
        <p className="break-words text-ink-2">{message}</p>
        {rows.length > 0 && (
          <ul aria-label={`Rows: ${title}`} className="flex flex-col gap-0.5 border-l-2 pl-2">
            {rows.map(({ text, recordId, account }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a notification never change
              <li key={index} dir="auto" className="line-clamp-2 break-words text-left text-ink-2">
                {recordId === null ? (
                  text
                ) : (
                  <button
                    type="button"
                    className="text-left hover:text-accent-text hover:underline"
                    onClick={() => onRecord(notification, { recordId, account })}
                  >
                    {text}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        <p className="break-words text-12 text-ink-3">{advice}</p>
        <div className="mt-1 flex flex-wrap items-center gap-2">
          <DateTime iso={created_at} className="mr-auto text-12 text-ink-3 tabular-nums" />
          {!isRead && (
            <Button size="sm" variant="ghost" onClick={onRead}>
              Mark read
            </Button>
          )}
          <Button size="sm" aria-label={`Open: ${title}`} onClick={onOpen}>
            Open
          </Button>
        </div>
      </div>
    </li>
  );
}

interface NotificationBellProps {
  /** Opens the entity of a notification. */
  onOpen: (notification: Notification) => void;
  onRecord: OpenRecord;
  onWebhook: () => void;
  /** Opens the page of all alerts. */
  onAlerts: () => void;
}

/** The bell with the number of unread notifications, and the list of notifications. */
export function NotificationBell({ onOpen, onRecord, onWebhook, onAlerts }: NotificationBellProps) {
  const { data, error, isFetching, refetch } = useNotificationsQuery();
  const [markRead] = useReadNotificationMutation();
  const [markAllRead] = useReadNotificationsMutation();
  const [isOpen, setIsOpen] = useState(false);
  const next = useRef<(() => void) | null>(null);
  const unread = data?.unread ?? 0;
  const results = data?.results ?? [];

  /** Closes the list, then calls `then`, so that a dialog it opens returns the focus to the bell. */
  function closeThen(then: () => void) {
    next.current = then;
    setIsOpen(false);
  }

  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger asChild>
        <IconButton
          className="relative"
          label={unread === 0 ? 'Notifications' : `Notifications: ${unread} unread`}
          icon={
            <>
              <Bell size={16} />
              {unread > 0 && (
                <span
                  aria-hidden="true"
                  className="absolute -top-0.5 left-4 grid h-4 min-w-4 place-items-center rounded-full bg-error-soft px-1 text-12 leading-4 font-semibold text-error-text tabular-nums ring-2 ring-surface"
                >
                  {unread > 9 ? '9+' : unread}
                </span>
              )}
            </>
          }
        />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Notifications"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={() => {
            const go = next.current;
            next.current = null;
            if (go) setTimeout(go);
          }}
          className="z-50 flex max-h-[min(36rem,calc(100dvh-6rem))] w-[min(26rem,calc(100vw-1rem))] animate-fade flex-col rounded-md bg-raised shadow-high outline-none"
        >
          <header className="flex h-12 shrink-0 items-center justify-between gap-2 border-b px-4">
            <h2 className="text-13 font-semibold">Notifications</h2>
            {unread > 0 && (
              <Button
                size="sm"
                variant="ghost"
                icon={<CheckCheck size={14} />}
                onClick={() => void markAllRead()}
              >
                Mark all read
              </Button>
            )}
          </header>
          {error !== undefined && !data ? (
            <div className="p-4">
              <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
            </div>
          ) : !data ? (
            <LoadingRows rows={3} />
          ) : results.length === 0 ? (
            <EmptyState
              icon={<BellOff size={20} />}
              title="No notifications"
              hint="Failures of scheduled synchronizations, expiring tokens and alerts on views appear here."
            />
          ) : (
            <ul className="min-h-0 flex-1 overflow-y-auto">
              {results.map((notification) => (
                <Item
                  key={notification.id}
                  notification={notification}
                  onRead={() => void markRead(notification.id)}
                  onRecord={(about, row) => closeThen(() => onRecord(about, row))}
                  onOpen={() => {
                    if (!notification.isRead) void markRead(notification.id);
                    closeThen(() => onOpen(notification));
                  }}
                />
              ))}
            </ul>
          )}
          <footer className="flex shrink-0 gap-1 border-t p-2">
            <Button size="sm" variant="ghost" icon={<Bell size={14} />} onClick={() => closeThen(onAlerts)}>
              Alerts
            </Button>
            <Button
              size="sm"
              variant="ghost"
              icon={<WebhookIcon size={14} />}
              onClick={() => closeThen(onWebhook)}
            >
              Webhook and mail…
            </Button>
          </footer>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
