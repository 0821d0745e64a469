import { type ToggleEvent, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Renders what `<details>` fold once they were opened: a document may have thousands of fields.
 * @returns what to spread on `<details>`, and whether to render what they fold
 */
export function useFolded(isOpen: boolean) {
  const [begins] = useState(isOpen);
  const [isRendered, setIsRendered] = useState(isOpen);
  const onToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) => {
    // At once, for other listeners that look for a field.
    if (currentTarget.open && !isRendered) flushSync(() => setIsRendered(true));
  };
  return { details: { open: begins, onToggle }, isRendered };
}
