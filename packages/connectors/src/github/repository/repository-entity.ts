import { PLAN_LIMITS, type Setting } from '@datadeck/contract';
import { defineEntity, type EntityDefinition } from '../../sdk/index.ts';
import { OWNER_PATTERN, REPOSITORY_PATTERN, repositoryOf } from './repository-names.ts';
import { repositoryScopes } from './repository-scopes.ts';

const setting = {
  type: 'text',
  required: true,
  disabled: false,
  isChecked: false,
  defaultValue: '',
} as const;

function settingsOfEntity(id: string): Setting[] {
  return [
    {
      ...setting,
      id: `${id}-owner`,
      propKey: 'owner',
      pattern: OWNER_PATTERN,
      label: 'Repository owner username',
      placeholder: 'E.g. octocat',
      errorText: 'Please enter a valid username',
      tip: 'The user or organization in the address of the repository: github.com/<owner>/<name>.',
    },
    {
      ...setting,
      id: `${id}-repo`,
      propKey: 'repo',
      pattern: REPOSITORY_PATTERN,
      label: 'Repository name',
      placeholder: 'E.g. hello-world',
      errorText: 'Please enter a valid repository name',
      tip: 'The last part of the address of the repository: github.com/<owner>/<name>.',
    },
  ];
}

type OwnParts = 'dependsOn' | 'multi' | 'limits' | 'settings' | 'scopeOf' | 'scopes';

/** Declares an entity whose scopes are repositories. */
export function repositoryEntity(entity: Omit<EntityDefinition, OwnParts>): EntityDefinition {
  return defineEntity({
    ...entity,
    dependsOn: [],
    multi: true,
    limits: PLAN_LIMITS['gh-pulls'],
    settings: settingsOfEntity(entity.id),
    scopeOf: (settings) => repositoryOf(settings).name.toLowerCase(),
    scopes: repositoryScopes,
  });
}
