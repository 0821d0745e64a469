import { html } from '../pages/html.ts';
import { avatar, type Page } from '../pages/page.ts';
import { accountSubject, type GithubAccount } from './github-account.ts';

const DESCRIPTIONS: Record<string, string> = {
  repo: 'Full control of private repositories',
  public_repo: 'Access public repositories',
  'read:user': 'Read all user profile data',
  user: 'Update all user data',
  'user:email': 'Access user email addresses (read-only)',
  'read:org': 'Read organisation and team membership',
};

/** What the page asks for. */
interface Request {
  scopes: readonly string[];
  /** The account that is selected at first; the first one if it is missing or unknown. */
  login: string | null;
}

/**
 * Returns the authorisation page, on which the user also selects the account, always: as if the request had
 * `prompt=select_account`.
 */
export function authorizePage(
  form: { action: string; interaction: string; formTarget: string },
  accounts: readonly GithubAccount[],
  { scopes, login }: Request,
): Page {
  const hinted = accounts.findIndex((account) => account.login.toLowerCase() === login?.toLowerCase());
  const selected = Math.max(hinted, 0);
  const choices = accounts.map(
    (
      account,
      index,
    ) => html`<label class="scope"><input type="radio" name="account" value="${accountSubject(account)}"${index === selected ? html` checked` : undefined}>
${avatar(account.name)}<span>${account.name}<span class="detail">${account.login}</span></span></label>`,
  );
  const rights = (scopes.length > 0 ? scopes : ['']).map(
    (scope) =>
      html`<div class="scope fixed"><span>${DESCRIPTIONS[scope] ?? 'Public data only'}<span class="detail">${scope}</span></span></div>`,
  );
  const body = html`<section class="card">
<p class="brand">GitHub (sandbox)</p>
<h1>Authorize Datadeck</h1>
<p class="lead"><strong>Datadeck</strong> would like permission to read from your account.</p>
<form method="post" action="${form.action}">
<input type="hidden" name="interaction" value="${form.interaction}">
<fieldset><legend>Account</legend>${choices}</fieldset>
<fieldset><legend>Permissions</legend>${rights}</fieldset>
<div class="buttons">
<button class="button" type="submit" name="decision" value="deny">Cancel</button>
<button class="button primary" type="submit" name="decision" value="allow">Authorize Datadeck</button>
</div>
</form>
</section>`;
  return { provider: 'GitHub', title: 'Authorize Datadeck', body, formTarget: form.formTarget };
}
