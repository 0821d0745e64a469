/** The id of the element that contains the current screen. */
export const CONTENT_ID = 'content';

/** 'Skip to content': the first focusable element, visible only on focus. It skips the side menu and the top bar. */
export function SkipLink() {
  return (
    <a
      href={`#${CONTENT_ID}`}
      onClick={(event) => {
        // Do not put the fragment into the URL.
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
