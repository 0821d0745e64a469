import { TaskThread, ThreadLimitError } from '../sdk/task-thread.ts';
import { type MailPage, PAGE_LENGTH, writeMailPage } from './page/page.ts';

/** The largest page takes less than 0.1 s. */
const LIMITS = { timeoutMs: 5000, heapMb: 128 };
/** Longest HTML that the main thread rewrites, UTF-16 units; it takes a few milliseconds. */
const MAX_LENGTH_ON_MAIN_THREAD = 16 * 1024;

/** One thread for the whole process. */
const pageThread = new TaskThread(new URL('./page-thread.ts', import.meta.url), LIMITS);

/** Returns the HTML of a mail as a browser may read it; null if it takes too long to rewrite. */
export async function readMailPage(html: string): Promise<MailPage | null> {
  if (html.length <= MAX_LENGTH_ON_MAIN_THREAD) return writeMailPage(html);
  try {
    return await pageThread.run<MailPage>(html.slice(0, PAGE_LENGTH + 1));
  } catch (error) {
    if (error instanceof ThreadLimitError) return null;
    throw error;
  }
}
