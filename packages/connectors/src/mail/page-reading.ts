import { TaskThread, ThreadLimitError } from '../sdk/task-thread.ts';
import { type MailPage, PAGE_LENGTH, writeMailPage } from './page/page.ts';
import type { PageTask } from './page-task.ts';

/** The largest page of HTML takes less than 0.1 s, the longest Markdown at most 2 s. */
const LIMITS = { timeoutMs: 5000, heapMb: 128 };
/** Longest HTML that the main thread rewrites, UTF-16 units; it takes a few milliseconds. */
const MAX_LENGTH_ON_MAIN_THREAD = 16 * 1024;
/** Longest Markdown that is converted, UTF-16 units. GitHub's texts have at most 65,536. */
export const MARKDOWN_LENGTH = 131_072;

/** One thread for the whole process. */
const pageThread = new TaskThread(new URL('./page-thread.ts', import.meta.url), LIMITS);

async function runTask(task: PageTask): Promise<MailPage | null> {
  try {
    return await pageThread.run<MailPage>({ ...task, text: task.text.slice(0, PAGE_LENGTH + 1) });
  } catch (error) {
    if (error instanceof ThreadLimitError) return null;
    throw error;
  }
}

/** Returns the HTML of a mail as a browser may read it; null if it takes too long to rewrite. */
export async function readMailPage(html: string): Promise<MailPage | null> {
  if (html.length <= MAX_LENGTH_ON_MAIN_THREAD) return writeMailPage(html);
  return runTask({ format: 'html', text: html });
}

/** Returns Markdown as HTML that a browser may read; null if it takes too long to convert. */
export async function readMarkdownPage(markdown: string): Promise<MailPage | null> {
  const text = markdown.slice(0, MARKDOWN_LENGTH).toWellFormed();
  const page = await runTask({ format: 'markdown', text });
  return page && { ...page, isCutOff: page.isCutOff || markdown.length > MARKDOWN_LENGTH };
}
