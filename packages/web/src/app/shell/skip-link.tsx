/** The id of the screen in the shell. */
export const CONTENT_ID = 'content';

/** 'Skip to content': seen when the keyboard reaches it, the first of all; it passes over side menu and top bar. */
export function SkipLink() {
  return (
    <a
      href={`#${CONTENT_ID}`}
      onClick={(event) => {
        // The address is the screen's own.
        event.preventDefault();
        const content = document.getElementById(CONTENT_ID);
        content?.focus();
        content?.scrollIntoView({ block: 'start' });
      }}
      className="sr-only rounded-sm bg-raised px-3 py-1.5 text-13 font-medium text-accent-text shadow-high focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:px-3 focus:py-1.5"
    >
      Skip to content
    </a>
  );
}
