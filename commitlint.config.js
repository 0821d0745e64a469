/** Conventional Commits with a body that says why: see CONTRIBUTING.md. */
export default {
  extends: ['@commitlint/config-conventional'],
  rules: { 'header-max-length': [2, 'always', 72], 'body-empty': [2, 'never'] },
};
