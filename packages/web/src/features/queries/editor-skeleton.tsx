import { Skeleton } from '../../ui/skeleton.tsx';

/** The place of the editor until it is loaded: its box, and the line under it. */
export function EditorSkeleton() {
  return (
    <div className="flex flex-col gap-2">
      <Skeleton className="h-24.5" />
      <div className="h-10" />
    </div>
  );
}
