/** What can take the focus in a field of the form. */
const BOXES = 'input, textarea, select, [role="switch"]';

/**
 * Opens the sections around the field of a path, scrolls to it and focuses it. Without a field of its own, the nearest one around
 * it is taken.
 * @returns whether there is one
 */
export function goToField(form: HTMLElement | null, path: string): boolean {
  if (!form) return false;
  for (let part = path; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('.')))) {
    const field = form.querySelector(`[data-path="${CSS.escape(part)}"]`);
    if (!(field instanceof HTMLElement)) continue;
    // What it folds is rendered when it opens.
    if (field instanceof HTMLDetailsElement && !field.open && part !== path)
      field.addEventListener('toggle', () => goToField(form, path), { once: true });
    for (
      let around: Element | null = field;
      around !== null && around !== form;
      around = around.parentElement
    )
      if (around instanceof HTMLDetailsElement) around.open = true;
    field.scrollIntoView({ block: 'center' });
    const box = field.querySelector(BOXES);
    if (box instanceof HTMLElement) box.focus({ preventScroll: true });
    return true;
  }
  return false;
}
