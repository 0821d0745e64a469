import { type Html, html } from './html.ts';
import { avatar, type Page } from './page.ts';

/** The form of a page during a sign-in. */
export interface SignInForm {
  action: string;
  interaction: string;
  formTarget: string;
}

/** An account to choose. `value` is what the form sends. */
export interface Choice {
  value: string;
  name: string;
  detail: string;
  hasFocus: boolean;
}

/** Returns the page on which the user selects an account. */
export function accountChooser(
  provider: Page['provider'],
  form: SignInForm,
  choices: readonly Choice[],
): Page {
  const items = choices.map(
    ({
      value,
      name,
      detail,
      hasFocus,
    }) => html`<li><button class="account" type="submit" name="account" value="${value}"${hasFocus ? html` autofocus` : undefined}>
${avatar(name)}<span><span class="name">${name}</span><span class="detail">${detail}</span></span>
</button></li>`,
  );
  const body: Html = html`<section class="card">
<p class="brand">Sign in with ${provider} (sandbox)</p>
<h1>Choose an account</h1>
<p class="lead">to continue to <strong>Datadeck</strong></p>
<form method="post" action="${form.action}">
<input type="hidden" name="interaction" value="${form.interaction}">
<ul class="accounts">${items}</ul>
</form>
</section>`;
  return { provider, title: 'Choose an account', body, formTarget: form.formTarget };
}
