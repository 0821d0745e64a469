/** The printed area of a sheet of A4 across, within margins of 1 cm, at 96 px an inch. */
const PAGE = { width: 1045, height: 690 };

/** Prints an element on one sheet: smaller than on the screen if it must be. */
export function printOnOnePage(element: HTMLElement): void {
  const { scrollWidth, scrollHeight, style } = element;
  const zoom = Math.min(1, PAGE.width / scrollWidth, PAGE.height / scrollHeight);
  const { width, zoom: before } = style;
  style.width = `${scrollWidth}px`;
  style.zoom = String(zoom);
  document.documentElement.dataset.print = 'board';
  window.addEventListener(
    'afterprint',
    () => {
      style.width = width;
      style.zoom = before;
      delete document.documentElement.dataset.print;
    },
    { once: true },
  );
  window.print();
}
