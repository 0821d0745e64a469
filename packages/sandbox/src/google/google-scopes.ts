/** Scopes that are granted with the sign-in; the user cannot untick them. */
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

/** Returns the distinct scopes of a request in the form that Google's token responses use. */
export function canonicalScopes(text: string | null): string[] {
  const scopes = (text ?? '').split(/\s+/).filter((scope) => scope !== '');
  return [...new Set(scopes.map((scope) => SIGN_IN.get(scope) ?? scope))];
}

/** Returns the scopes that Google does not know; it rejects requests with such scopes. */
export function unknownScopes(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !isSignInScope(scope) && !DESCRIPTIONS.has(scope));
}

export function isSignInScope(scope: string): boolean {
  return [...SIGN_IN.values()].includes(scope);
}

/** Returns the consent page's text for a scope. */
export function describeScope(scope: string): string {
  return DESCRIPTIONS.get(scope) ?? scope;
}
