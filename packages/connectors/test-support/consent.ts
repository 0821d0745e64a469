import type { AuthorizationRequest, Connector, Grant } from '../src/sdk/index.ts';

/** The redirect URI; no server listens there. */
const CALLBACK = 'http://127.0.0.1:39999/callback';

/** The user's choices on a stand-in's consent pages. */
export interface Person {
  /** E-mail address or login. Default: the first account. */
  account?: string;
  deny?: boolean;
  /** Whether to untick all boxes. */
  untick?: boolean;
}

/** Creates the authorization request shared by `start` and `finish`. */
export function newRequest(purpose: AuthorizationRequest['purpose'] = 'connect'): AuthorizationRequest {
  const secret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
  return { purpose, redirectUri: CALLBACK, state: secret(), nonce: secret(), verifier: secret() };
}

function attributesOf(tag: string): Map<string, string> {
  return new Map(
    [...tag.matchAll(/\s([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** Submits the form of a page: chooses the account, or allows or denies access. */
async function press(page: Response, person: Person): Promise<Response> {
  const html = await page.text();
  const action = html.match(/<form method="post" action="([^"]+)"/)?.[1];
  if (action === undefined) throw new Error(`no form at ${page.url}: ${html.slice(0, 300)}`);
  const choices = [...html.matchAll(/name="account" value="([^"]+)"[\s\S]*?class="detail">([^<]+)</g)];
  const chosen = choices.find(([, , detail]) => detail === person.account) ?? choices[0];
  const fields = new URLSearchParams();
  for (const [tag] of html.matchAll(/<input[^>]*>/g)) {
    const { type, name = '', value = '' } = Object.fromEntries(attributesOf(tag));
    if (type === 'hidden' || (type === 'checkbox' && !person.untick)) fields.append(name, value);
  }
  if (chosen?.[1] !== undefined) fields.set('account', chosen[1]);
  if (html.includes('name="decision"')) fields.set('decision', person.deny ? 'deny' : 'allow');
  return fetch(new URL(action, page.url), { method: 'POST', body: fields, redirect: 'manual' });
}

/** Completes a provider's pages. @returns the callback URL */
export async function visitConsent(address: URL, person: Person = {}): Promise<URL> {
  let page = await fetch(address, { redirect: 'manual' });
  for (let step = 0; step < 8; step++) {
    const location = page.headers.get('location');
    if (location === null) {
      page = await press(page, person);
      continue;
    }
    const target = new URL(location, address);
    if (target.href.startsWith(CALLBACK)) return target;
    page = await fetch(target, { redirect: 'manual' });
  }
  throw new Error('the pages do not end');
}

/** Runs the whole authorization and returns the grant. */
export async function authorize(
  authorization: Connector['authorization'],
  person: Person = {},
  request: AuthorizationRequest = newRequest(),
): Promise<Grant> {
  if (!authorization) throw new Error('this connector has no consent page');
  const callback = await visitConsent(await authorization.start(request), person);
  return authorization.finish(callback, request);
}
