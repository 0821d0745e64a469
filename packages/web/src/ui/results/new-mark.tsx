import { Badge } from '../badge.tsx';

/** Marks a row that appeared since the last message of an alert. */
export function NewMark() {
  return (
    <span className="mr-2">
      <Badge tone="accent">New</Badge>
    </span>
  );
}
