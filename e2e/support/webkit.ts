import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../packages/server/src/app/http/listen.ts';
import { findWebKit, findXvfb } from '../../scripts/test-tools.ts';

const TIMEOUT_MS = 60_000;
/** Key of an element's id in the WebDriver protocol. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
/** Shrinks the browser's own toolbar, which else keeps the window wider than a phone. */
const NARROW_TOOLBAR =
  '* { font-size: 1px; padding: 0; margin: 0; border-width: 0; min-width: 0; min-height: 0; }';

/** Finds a visible element by selector and the first line of its accessible name. Runs in the page. */
function findInPage(selector: string, name: string | null): Element | undefined {
  const textOf = (element: Element | null) => (element as HTMLElement | null)?.innerText?.trim() ?? '';
  const nameOf = (element: Element) => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const labels = [...((element as HTMLInputElement).labels ?? [])];
    return (
      element.getAttribute('aria-label') ??
      ([...ids.map((id) => document.getElementById(id)), ...labels].map(textOf).join(' ') || textOf(element))
    );
  };
  return [...document.querySelectorAll(selector)].find(
    (element) =>
      element.getClientRects().length > 0 && (name === null || nameOf(element).split('\n')[0] === name),
  );
}

/** Collects errors of script, console and content security policy from now on. Runs in the page. */
function collectErrors(): void {
  const errors: string[] = [];
  Object.assign(window, { collectedErrors: errors });
  window.addEventListener('error', ({ message }) => errors.push(message));
  window.addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
    errors.push(`refused by ${violatedDirective}`),
  );
  console.error = (...words) => errors.push(words.join(' '));
}

/** Reads a stream until a pattern matches. @returns its first group */
async function readFrom(stream: Readable, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk;
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`ended before ${pattern}: ${text}`);
}

/**
 * A WebKit browser on a display of its own: WebKitGTK's MiniBrowser, driven by the W3C WebDriver protocol. Playwright's
 * WebKit is a build of its own, which an installation from the lockfile does not have.
 */
export class WebKit {
  readonly #processes: ChildProcess[] = [];
  #address = '';

  /** Starts display, driver and browser. @param folder an empty folder for the browser's profile */
  async start(folder: string): Promise<void> {
    const [driver, xvfb] = [findWebKit(), findXvfb()];
    if (driver === undefined || xvfb === undefined) throw new Error('WebKitWebDriver or Xvfb is missing');
    mkdirSync(join(folder, '.config/gtk-3.0'), { recursive: true });
    writeFileSync(join(folder, '.config/gtk-3.0/gtk.css'), NARROW_TOOLBAR);
    const screen = ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'];
    const display = spawn(xvfb, screen, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    this.#processes.push(display);
    const number = await readFrom(display.stdio[3] as Readable, /(\d+)\n/);
    const port = await findFreePort('127.0.0.1');
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: folder, DISPLAY: `:${number}`, LANG: 'C.UTF-8', TZ: 'UTC' };
    this.#processes.push(spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' }));
    this.#address = `http://127.0.0.1:${port}/session`;
    const session = await this.#until('the driver', () =>
      this.#call<{ sessionId: string }>('POST', '', { capabilities: {} }),
    );
    this.#address += `/${session.sessionId}`;
  }

  async end(): Promise<void> {
    await this.#call('DELETE', '').catch(() => undefined);
    for (const child of this.#processes.reverse()) child.kill();
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#call('POST', '/window/rect', { width, height });
    await this.#until(`a width of ${width}`, async () => (await this.run(() => innerWidth)) === width);
  }

  async open(url: string): Promise<void> {
    await this.#call('POST', '/url', { url });
    await this.run(collectErrors);
  }

  /** Runs a function in the page. Its arguments and result are JSON. */
  run<A extends unknown[], R>(work: (...args: A) => R, ...args: A): Promise<R> {
    return this.#call('POST', '/execute/sync', { script: `return (${work}).apply(null, arguments)`, args });
  }

  /** Errors since the page was opened. */
  errors(): Promise<string[]> {
    return this.run(() => (window as unknown as { collectedErrors: string[] }).collectedErrors);
  }

  /** Waits for a visible element. @returns its id */
  find(selector: string, name: string | null = null): Promise<string> {
    return this.#until(`${selector} ${name ?? ''}`, async () => {
      const found = await this.run(findInPage, selector, name);
      return (found as unknown as Record<string, string> | null)?.[ELEMENT];
    });
  }

  /** Waits for an element that can be clicked, and clicks it. */
  click(selector: string, name: string | null = null): Promise<unknown> {
    return this.#until(`a click on ${selector} ${name ?? ''}`, async () => {
      await this.#call('POST', `/element/${await this.find(selector, name)}/click`, {});
      return true;
    });
  }

  async type(text: string, selector: string, name: string | null = null): Promise<void> {
    await this.#call('POST', `/element/${await this.find(selector, name)}/value`, { text });
  }

  /** Waits until the page shows a text. */
  async waitForText(pattern: RegExp): Promise<void> {
    await this.#until(`the text ${pattern}`, async () =>
      pattern.test(await this.run(() => document.body.innerText)),
    );
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from(await this.#call<string>('GET', '/screenshot'), 'base64');
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(this.#address + path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`WebKit: ${value.error} ${value.message}`);
    return value;
  }

  /** Tries again until there is a result. An element may be covered, or replaced by another one, at any moment. */
  async #until<T>(what: string, attempt: () => Promise<T | undefined | false>): Promise<T> {
    let reason: unknown;
    for (const begun = Date.now(); Date.now() - begun < TIMEOUT_MS; await sleep(50)) {
      const found = await attempt().catch((error: unknown) => {
        reason = error;
        return undefined;
      });
      if (found !== undefined && found !== false) return found;
    }
    throw new Error(`waited in vain for ${what}`, { cause: reason });
  }
}
