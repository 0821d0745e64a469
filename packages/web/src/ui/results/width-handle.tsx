import { useRef } from 'react';
import { classNames } from '../class-names.ts';
import { clampWidth } from './arranged-columns.ts';

/** Width that an arrow key adds or takes, px. */
const STEP = 16;

interface WidthHandleProps {
  name: string;
  /** Called while the handle is dragged, with px. */
  onDrag: (width: number) => void;
  /** Called with the chosen width, px; undefined: as wide as the content. */
  onWidth: (width: number | undefined) => void;
}

/** Returns the width of the column before a handle, px. The handle is at the left of the next header. */
function widthBefore(handle: HTMLElement): number {
  return handle.parentElement?.previousElementSibling?.getBoundingClientRect().width ?? 0;
}

/** The line between two headers, which changes the width of the column before it. */
export function WidthHandle({ name, onDrag, onWidth }: WidthHandleProps) {
  const from = useRef<{ x: number; width: number } | null>(null);
  const widthAt = (x: number) =>
    from.current && x !== from.current.x ? clampWidth(from.current.width + x - from.current.x) : null;
  return (
    <button
      type="button"
      aria-label={`Width of ${name}`}
      title={`Drag, or press an arrow key, to change the width of ${name}. Press Enter or double-click to fit it to its content.`}
      className={classNames(
        'group/width absolute top-0 -left-3 z-10 grid h-full w-6 cursor-col-resize touch-none place-items-center rounded-sm',
        'focus-visible:-outline-offset-2',
      )}
      // Without this, the browser would drag the header around it to another place.
      draggable
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width: widthBefore(event.currentTarget) };
      }}
      onPointerMove={(event) => {
        const width = widthAt(event.clientX);
        if (width !== null) onDrag(width);
      }}
      onPointerUp={(event) => {
        const width = widthAt(event.clientX);
        from.current = null;
        if (width !== null) onWidth(width);
      }}
      onPointerCancel={() => {
        from.current = null;
      }}
      onDoubleClick={() => onWidth(undefined)}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
        if (event.key === 'Enter') onWidth(undefined);
        else if (step !== undefined) onWidth(widthBefore(event.currentTarget) + step);
        else return;
        event.preventDefault();
      }}
    >
      <span
        aria-hidden="true"
        className="h-4 w-px bg-line-strong group-hover/width:h-full group-hover/width:w-0.5 group-hover/width:bg-accent"
      />
    </button>
  );
}
