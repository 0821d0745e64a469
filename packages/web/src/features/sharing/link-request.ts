import { type CreateToken, createTokenSchema } from '@datadeck/contract';
import type { FieldErrors, Resolver } from 'react-hook-form';
import type { Shared } from './shared-subject.ts';

/** The fields of a new link, as they are typed. */
export interface LinkForm {
  name: string;
  expiresInDays: number;
  password: string;
  rowBudget: string;
  /** One site a line. */
  sites: string;
}

/** The values that the form begins with. */
export const NEW_LINK: LinkForm = {
  name: '',
  expiresInDays: 30,
  password: '',
  rowBudget: '1,000,000',
  sites: '',
};

/** The fields of the form by the names of the request. */
const FIELDS: Readonly<Record<string, keyof LinkForm>> = {
  name: 'name',
  expiresInDays: 'expiresInDays',
  password: 'password',
  rowBudget: 'rowBudget',
  frameAncestors: 'sites',
};
const BUDGET_MESSAGE = 'Must be a whole number, 1 or more';

/** Returns the origin of an address that was pasted with its path; any other text as it is. */
function originOf(text: string): string {
  return /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text).origin : text;
}

function sitesIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== '').map(originOf))];
}

/** Returns the request that makes a link. @param parameters the fixed values, as JSON */
export function linkRequest(
  { kind, id }: Pick<Shared, 'kind' | 'id'>,
  { name, expiresInDays, password, rowBudget, sites }: LinkForm,
  parameters?: string,
): CreateToken {
  const frameAncestors = sitesIn(sites);
  return {
    name,
    scope: kind,
    expiresInDays,
    ...(kind === 'view' ? { viewId: id } : { boardId: id }),
    rowBudget: rowBudget.trim() === '' ? Number.NaN : Number(rowBudget.replaceAll(/[\s,]/g, '')),
    ...(parameters !== undefined && { parameters }),
    ...(password !== '' && { password }),
    ...(frameAncestors.length > 0 && { frameAncestors }),
  };
}

/** Checks the form by the contract's schema. */
export function linkResolver(shared: Pick<Shared, 'kind' | 'id'>): Resolver<LinkForm> {
  return (values) => {
    const request = linkRequest(shared, values);
    const { error } = createTokenSchema.safeParse(request);
    const errors: FieldErrors<LinkForm> = {};
    for (const { path, message } of error?.issues ?? []) {
      const [name, line] = path;
      const field = FIELDS[String(name)];
      if (field === undefined || errors[field]) continue;
      const site = typeof line === 'number' ? `${request.frameAncestors?.[line]}: ` : '';
      errors[field] = {
        type: 'contract',
        message: field === 'rowBudget' ? BUDGET_MESSAGE : `${site}${message}`,
      };
    }
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
  };
}
