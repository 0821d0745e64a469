import { Skeleton } from '../../ui/skeleton.tsx';

/** Placeholder for the editor while its code loads. */
export function EditorSkeleton() {
  return (
    <div className="flex flex-col gap-2">
      <Skeleton className="h-24.5" />
      <div className="h-10" />
    </div>
  );
}
