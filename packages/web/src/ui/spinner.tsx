import { LoaderCircle } from 'lucide-react';

/** A turning mark for work under way; the words beside it say what. */
export function Spinner({ size = 14 }: { size?: number }) {
  return <LoaderCircle aria-hidden="true" size={size} className="shrink-0 animate-spin" />;
}
