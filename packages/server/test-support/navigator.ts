/** A minimal browser: follows redirects, stores cookies, submits the forms of the sandbox's pages. */
export class Navigator {
  readonly #cookies = new Map<string, { value: string; path: string }>();
  readonly #headers: Record<string, string>;

  /** @param headers sent with every request */
  constructor(headers: Record<string, string> = {}) {
    this.#headers = headers;
  }

  /** Deletes all cookies. */
  forget(): void {
    this.#cookies.clear();
  }

  /** Returns the decoded value of a cookie; empty without one. */
  cookie(name: string): string {
    return decodeURIComponent(this.#cookies.get(name)?.value ?? '');
  }

  async #fetch(url: URL, init: RequestInit = {}): Promise<Response> {
    const cookies = [...this.#cookies].filter(([, cookie]) => url.pathname.startsWith(cookie.path));
    const headers = new Headers({ ...this.#headers, ...init.headers });
    headers.set('accept', 'text/html');
    if (cookies.length > 0)
      headers.set('cookie', cookies.map(([name, cookie]) => `${name}=${cookie.value}`).join('; '));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/);
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
      const isGone = attributes.some(
        (one) => /^max-age=0$/i.test(one) || /^expires=thu, 01 jan 1970/i.test(one),
      );
      if (isGone) this.#cookies.delete(name);
      else this.#cookies.set(name, { value, path });
    }
    return response;
  }

  /** Opens a URL and follows redirects. @returns the final URL and the page's text */
  async visit(
    address: string | URL,
    init?: RequestInit,
  ): Promise<{ url: URL; status: number; html: string }> {
    let url = new URL(address);
    let response = await this.#fetch(url, init);
    for (let hop = 0; hop < 15 && response.headers.has('location'); hop++) {
      await response.body?.cancel();
      url = new URL(response.headers.get('location') ?? '', url);
      response = await this.#fetch(url);
    }
    return { url, status: response.status, html: await response.text() };
  }

  /**
   * Submits the form of a page with the button whose text or name matches.
   * @param change fields to add (values) or drop (null)
   */
  async submit(page: { url: URL; html: string }, button: RegExp, change: Record<string, string | null> = {}) {
    for (const [, attributes = '', body = ''] of page.html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)) {
      const pressed = [...body.matchAll(/<button([^>]*)>([\s\S]*?)<\/button>/g)].find(
        ([, own = '', text = '']) => button.test(`${own} ${text.replaceAll(/<[^>]*>/g, ' ')}`),
      );
      if (!pressed) continue;
      const fields = new URLSearchParams();
      for (const [tag] of body.matchAll(/<input[^>]*>/g)) {
        const isBox = /type="(checkbox|radio)"/.test(tag);
        const name = attributeOf(tag, 'name');
        if (name !== undefined && (!isBox || /\schecked/.test(tag)))
          fields.append(name, attributeOf(tag, 'value') ?? 'on');
      }
      const own = pressed[1] ?? '';
      const name = attributeOf(own, 'name');
      if (name !== undefined) fields.append(name, attributeOf(own, 'value') ?? '');
      for (const [key, value] of Object.entries(change)) {
        fields.delete(key);
        if (value !== null) fields.append(key, value);
      }
      const action = new URL(attributeOf(attributes, 'action') ?? '', page.url);
      if (/method="post"/i.test(attributes)) return this.visit(action, { method: 'POST', body: fields });
      action.search = fields.toString();
      return this.visit(action);
    }
    throw new Error(`no form with a button like ${button} at ${page.url.pathname}`);
  }
}

function attributeOf(tag: string, name: string): string | undefined {
  const value = tag.match(new RegExp(`\\s${name}="([^"]*)"`))?.[1];
  return value
    ?.replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}
