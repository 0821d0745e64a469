import { Ellipsis, GripVertical, MoveDiagonal2, Pencil, Trash2 } from 'lucide-react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Age } from '../../ui/date-time.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { TileArrangement } from './use-arrangement.ts';

interface TileFrameProps {
  /** In the header, and the name of the tile; undefined: the tile has no header outside of the arrangement. */
  title: string | undefined;
  /** In place of the title, such as a link; default: the title. */
  heading?: ReactNode;
  /** Beside the title, such as a sparkline. */
  aside?: ReactNode;
  /** When the shown data were loaded, ISO. */
  loadedAt?: string | undefined;
  /** Set while the board is arranged. */
  arrangement: TileArrangement | undefined;
  /** Whether the content has space around it. */
  isPadded?: boolean;
  children: ReactNode;
}

/** The handle of a tile: it is dragged, or moved by the arrow keys. */
function MoveHandle({ title, arrangement }: { title: string; arrangement: TileArrangement }) {
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    arrangement.onMove(step);
  }
  return (
    <IconButton
      size="sm"
      label={`Move ${title}`}
      aria-description="Drag, or use the arrow keys"
      data-move-tile
      className="cursor-grab touch-none active:cursor-grabbing"
      icon={<GripVertical aria-hidden="true" size={14} />}
      onKeyDown={onKeyDown}
      onPointerDown={(event: PointerEvent) => arrangement.onDragStart(event)}
    />
  );
}

/** The corner of a tile: it is dragged, or the arrow keys change the size. */
function ResizeHandle({ title, arrangement }: { title: string; arrangement: TileArrangement }) {
  function onKeyDown(event: KeyboardEvent) {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    arrangement.onResize(...step);
  }
  return (
    <IconButton
      size="sm"
      label={`Resize ${title}`}
      aria-description="Drag, or use the arrow keys"
      className="absolute right-1 bottom-1 z-10 cursor-nwse-resize touch-none bg-raised max-sm:hidden"
      icon={<MoveDiagonal2 aria-hidden="true" size={14} />}
      onKeyDown={onKeyDown}
      onPointerDown={(event: PointerEvent) => arrangement.onResizeStart(event)}
    />
  );
}

/** The frame of a tile: its title, its age, and, while the board is arranged, its handles. */
export function TileFrame({
  title,
  heading,
  aside,
  loadedAt,
  arrangement,
  isPadded = false,
  children,
}: TileFrameProps) {
  const name = title ?? 'text';
  const hasHeader = title !== undefined || arrangement !== undefined;
  return (
    <section
      aria-label={name}
      className={classNames(
        'relative flex h-full min-w-0 flex-col overflow-hidden rounded-md',
        hasHeader && 'border bg-surface shadow-low',
        arrangement?.isDragged && 'opacity-60 outline-2 outline-accent-text',
      )}
    >
      {hasHeader && (
        <header className="flex min-h-10 shrink-0 items-center gap-2 border-b py-1 pr-1.5 pl-3">
          {arrangement && <MoveHandle title={name} arrangement={arrangement} />}
          <h2 dir="auto" title={title} className="min-w-0 flex-1 truncate text-left text-13 font-semibold">
            {heading ?? title ?? 'Text'}
          </h2>
          {!arrangement && aside}
          {loadedAt !== undefined && !arrangement && (
            <span className="shrink-0 pr-1.5 text-12 text-ink-3">
              <span className="sr-only">Loaded </span>
              <Age iso={loadedAt} />
            </span>
          )}
          {arrangement && (
            <Menu
              trigger={<IconButton size="sm" label={`Actions for ${name}`} icon={<Ellipsis size={14} />} />}
              items={[
                { label: 'Edit', icon: <Pencil size={14} />, onSelect: arrangement.onEdit },
                { label: 'Remove', icon: <Trash2 size={14} />, danger: true, onSelect: arrangement.onRemove },
              ]}
            />
          )}
        </header>
      )}
      {/* What loads has nothing to scroll to, and nothing that a keyboard could reach there. */}
      <div
        className={classNames(
          'min-h-0 flex-1 [overflow:auto] has-[>[role=status]]:[overflow:hidden]',
          isPadded && (hasHeader ? 'p-3' : 'px-1'),
        )}
      >
        {children}
      </div>
      {arrangement && <ResizeHandle title={name} arrangement={arrangement} />}
    </section>
  );
}
