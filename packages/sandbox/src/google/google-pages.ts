import { accountChooser as choosePage, type SignInForm } from '../pages/account-chooser.ts';
import { html } from '../pages/html.ts';
import { avatar, type Page } from '../pages/page.ts';
import { fullName, type GoogleAccount } from './google-account.ts';
import { describeScope, isSignInScope } from './google-scopes.ts';

/** Returns the page on which the user selects an account. @param hinted the account that has the focus */
export function accountChooser(
  form: SignInForm,
  accounts: readonly GoogleAccount[],
  hinted?: GoogleAccount,
): Page {
  const choices = accounts.map((account) => ({
    value: account.subject,
    name: fullName(account),
    detail: account.email,
    hasFocus: account === hinted,
  }));
  return choosePage('Google', form, choices);
}

/** Returns the consent page: sign-in scopes are fixed; every other scope has its own checkbox, initially ticked. */
export function consentPage(form: SignInForm, account: GoogleAccount, scopes: readonly string[]): Page {
  const further = scopes.filter((scope) => !isSignInScope(scope));
  const boxes = further.map(
    (scope) => html`<label class="scope"><input type="checkbox" name="scope" value="${scope}" checked>
<span>${describeScope(scope)}<span class="detail">${scope}</span></span></label>`,
  );
  const choice = html`<fieldset><legend>Select what Datadeck can access</legend>${boxes}</fieldset>`;
  const body = html`<section class="card">
<p class="brand">Sign in with Google (sandbox)</p>
<h1>${further.length > 0 ? 'Datadeck wants access to your Google Account' : 'Sign in to Datadeck'}</h1>
<p class="chosen">${avatar(fullName(account))}<span><strong>${fullName(account)}</strong><br>${account.email}</span></p>
<p class="lead">Google will share your name, email address and profile picture with Datadeck.</p>
<form method="post" action="${form.action}">
<input type="hidden" name="interaction" value="${form.interaction}">
${further.length > 0 ? choice : undefined}
<div class="buttons">
<button class="button" type="submit" name="decision" value="deny">Cancel</button>
<button class="button primary" type="submit" name="decision" value="allow">Continue</button>
</div>
</form>
</section>`;
  return { provider: 'Google', title: 'Consent', body, formTarget: form.formTarget };
}
