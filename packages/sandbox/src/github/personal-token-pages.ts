import { html } from '../pages/html.ts';
import { avatar, type Page } from '../pages/page.ts';
import { accountSubject, type GithubAccount } from './github-account.ts';

/** The permissions that the page offers: field of the form, and name. */
const PERMISSIONS = [
  ['actions', 'Actions'],
  ['contents', 'Contents'],
  ['issues', 'Issues'],
  ['pulls', 'Pull requests'],
] as const;

/** Returns the page that creates a token of a sample account. */
export function newTokenPage({
  action,
  kind,
  accounts,
}: {
  action: string;
  kind: 'fine-grained' | 'classic';
  accounts: readonly GithubAccount[];
}): Page {
  const isClassic = kind === 'classic';
  const title = isClassic ? 'New personal access token (classic)' : 'New fine-grained personal access token';
  const choices = accounts.map(
    (
      account,
      index,
    ) => html`<label class="scope"><input type="radio" name="account" value="${accountSubject(account)}"${index === 0 ? html` checked` : undefined}>
${avatar(account.name)}<span>${account.name}<span class="detail">${account.login}</span></span></label>`,
  );
  const permissions = isClassic
    ? html`<label class="scope"><input type="checkbox" name="private" value="on"><span>Full control of private repositories<span class="detail">repo</span></span></label>`
    : html`<label class="scope"><input type="checkbox" name="private" value="on" checked><span>All repositories<span class="detail">Private ones, too; otherwise public repositories only</span></span></label>
${PERMISSIONS.map(([field, name]) => html`<label class="scope"><input type="checkbox" name="${field}" value="on" checked><span>${name}<span class="detail">Read-only</span></span></label>`)}
<div class="scope fixed"><span>Metadata<span class="detail">Read-only, required</span></span></div>`;
  const lifetimes = [
    { days: 30, label: '30 days', isChosen: true },
    { days: 3, label: '3 days', isChosen: false },
    { days: 0, label: 'No expiration', isChosen: false },
  ].map(
    ({ days, label, isChosen }) =>
      html`<label class="scope"><input type="radio" name="days" value="${days}"${isChosen ? html` checked` : undefined}><span>${label}</span></label>`,
  );
  const body = html`<section class="card">
<p class="brand">GitHub (sandbox)</p>
<h1>${title}</h1>
<form method="post" action="${action}">
<fieldset><legend>Account</legend>${choices}</fieldset>
<fieldset><legend>${isClassic ? 'Scopes' : 'Permissions'}</legend>${permissions}</fieldset>
<fieldset><legend>Expiration</legend>${lifetimes}</fieldset>
<div class="buttons"><button class="button primary" type="submit">Generate token</button></div>
</form>
</section>`;
  return { provider: 'GitHub', title, body };
}

/** Returns the page that shows a new token once, and deletes tokens. */
export function tokensPage({
  action,
  token,
  isDeleted = false,
}: {
  action: string;
  token?: string;
  isDeleted?: boolean;
}): Page {
  const made = token
    ? html`<p class="lead">Copy the token now. It is not shown again.</p><p><code id="token">${token}</code></p>
<p><a href="${action}/new">Create another token</a></p>`
    : html`<p class="lead">${isDeleted ? 'The token was deleted.' : 'The sandbox keeps no list of tokens. Enter one to delete it.'}</p>
<form method="post" action="${action}"><p><input name="token" required maxlength="255" autocomplete="off" aria-label="Token"></p>
<div class="buttons"><a class="button" href="${action}/new">New token</a> <button class="button primary" type="submit">Delete token</button></div></form>`;
  const body = html`<section class="card"><p class="brand">GitHub (sandbox)</p><h1>Personal access tokens</h1>${made}</section>`;
  return { provider: 'GitHub', title: 'Personal access tokens', body };
}
