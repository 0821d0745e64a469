/** A text that the thread converts to a page. */
export interface PageTask {
  format: 'html' | 'markdown';
  /** UTF-16 units: at most one more than a page has. */
  text: string;
}
