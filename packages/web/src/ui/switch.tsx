import { Switch as Radix } from 'radix-ui';
import { useId } from 'react';

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange?: (checked: boolean) => void;
  disabled?: boolean;
}

/** An on/off switch with a label. */
export function Switch({ label, checked, onChange, disabled = false }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <Radix.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={(next) => onChange?.(next)}
        className="h-5 w-9 shrink-0 rounded-full bg-control p-0.5 transition-colors duration-100 disabled:opacity-50 data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-4 rounded-full bg-on-accent transition-transform duration-100 data-[state=checked]:translate-x-4" />
      </Radix.Root>
      <label htmlFor={id} className="text-13 text-ink-2">
        {label}
      </label>
    </div>
  );
}
