import type { SignInForm } from '../pages/account-chooser.ts';
import { html } from '../pages/html.ts';
import { avatar, type Page } from '../pages/page.ts';
import type { MicrosoftAccount } from './microsoft-account.ts';

const DESCRIPTIONS = new Map([
  ['https://outlook.office.com/IMAP.AccessAsUser.All', 'Read and write access to mailboxes via IMAP'],
  ['offline_access', 'Maintain access to data you have given it access to'],
  ['profile', 'View your basic profile'],
]);

/** Returns the consent page. All permissions are accepted together. */
export function permissionsPage(
  form: SignInForm,
  { name, address }: MicrosoftAccount,
  scopes: readonly string[],
): Page {
  const items = scopes.flatMap((scope) => {
    const description = DESCRIPTIONS.get(scope);
    return description === undefined ? [] : [html`<li>${description}</li>`];
  });
  const body = html`<section class="card">
<p class="brand">Sign in with Microsoft (sandbox)</p>
<h1>Permissions requested</h1>
<p class="chosen">${avatar(name)}<span><strong>${name}</strong><br>${address}</span></p>
<p class="lead">Datadeck would like to:</p>
<ul>${items}</ul>
<form method="post" action="${form.action}">
<input type="hidden" name="interaction" value="${form.interaction}">
<div class="buttons">
<button class="button" type="submit" name="decision" value="deny">Cancel</button>
<button class="button primary" type="submit" name="decision" value="allow">Accept</button>
</div>
</form>
</section>`;
  return { provider: 'Microsoft', title: 'Permissions requested', body, formTarget: form.formTarget };
}
