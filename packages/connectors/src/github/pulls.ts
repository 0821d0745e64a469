import { defineEntity, readSaved } from '../sdk/index.ts';
import { readChanges } from './pull-changes.ts';
import { readAll } from './pull-listing.ts';
import { repositoryOf } from './pull-pages.ts';
import { cursorSchema } from './watermark.ts';

const NAME_PATTERN = '[A-Za-z0-9_\\-]+';
const setting = {
  type: 'text',
  required: true,
  disabled: false,
  isChecked: false,
  defaultValue: '',
  pattern: NAME_PATTERN,
} as const;

/** GitHub pull requests of one repository. */
export const ghPulls = defineEntity({
  id: 'gh-pulls',
  title: 'Pull Requests',
  description:
    '<p>Pull requests of <strong>one repository</strong>, open and closed, newest first. Several repositories can be synchronized one after the other; they live side by side.</p>',
  dependsOn: [],
  multi: true,
  settings: [
    {
      ...setting,
      id: 'gh-pulls-owner',
      propKey: 'owner',
      label: 'Repository owner username',
      placeholder: 'E.g. octocat',
      errorText: 'Please enter a valid username',
      tip: 'The user or organization in the address of the repository: github.com/<owner>/<name>.',
    },
    {
      ...setting,
      id: 'gh-pulls-repo',
      propKey: 'repo',
      label: 'Repository name',
      placeholder: 'E.g. hello-world',
      errorText: 'Please enter a valid repository name',
      tip: 'The last part of the address of the repository: github.com/<owner>/<name>.',
    },
  ],
  scopeOf: (settings) => repositoryOf(settings).name.toLowerCase(),
  async *read(request) {
    const repository = repositoryOf(request.settings);
    const cursor = readSaved(cursorSchema, request.cursor);
    if (cursor) return yield* readChanges(request, repository, cursor);
    return yield* readAll(request, repository);
  },
});
