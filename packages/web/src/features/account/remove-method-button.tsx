import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';

interface RemoveMethodButtonProps {
  /** The sign-in method or passkey in words. */
  name: string;
  isRemoving: boolean;
  onRemove: () => void;
}

/** Removes a way to sign in. */
export function RemoveMethodButton({ name, isRemoving, onRemove }: RemoveMethodButtonProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  return (
    <Button
      size="sm"
      variant="danger"
      aria-label={`Remove ${name}`}
      busy={isRemoving}
      disabled={!mayChange || isRemoving}
      title={forbidden}
      onClick={onRemove}
    >
      Remove
    </Button>
  );
}
