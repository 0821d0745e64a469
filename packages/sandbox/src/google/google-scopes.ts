/** Scopes that are granted with sign-in itself; Google never lets them be unticked. */
const SIGN_IN = new Map([
  ['openid', 'openid'],
  ['email', 'https://www.googleapis.com/auth/userinfo.email'],
  ['profile', 'https://www.googleapis.com/auth/userinfo.profile'],
]);

const DESCRIPTIONS = new Map([
  ['https://mail.google.com/', 'Read, compose, send and permanently delete all your email from Gmail'],
  ['https://www.googleapis.com/auth/gmail.readonly', 'View your email messages and settings'],
  ['https://www.googleapis.com/auth/gmail.modify', 'Read, compose and send emails from your Gmail account'],
  ['https://www.googleapis.com/auth/gmail.labels', 'See and edit your email labels'],
  [
    'https://www.googleapis.com/auth/gmail.metadata',
    'View your email message metadata such as labels and headers',
  ],
]);

/** The scopes of a request in the form that Google's token answers use, without repeats. */
export function canonicalScopes(text: string | null): string[] {
  const scopes = (text ?? '').split(/\s+/).filter((scope) => scope !== '');
  return [...new Set(scopes.map((scope) => SIGN_IN.get(scope) ?? scope))];
}

/** Scopes that Google does not know; a request with one of them is refused. */
export function unknownScopes(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !isSignInScope(scope) && !DESCRIPTIONS.has(scope));
}

export function isSignInScope(scope: string): boolean {
  return [...SIGN_IN.values()].includes(scope);
}

/** What the consent page says about a scope. */
export function describeScope(scope: string): string {
  return DESCRIPTIONS.get(scope) ?? scope;
}
