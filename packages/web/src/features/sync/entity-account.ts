import type { EntityAccount, UserEntity } from '@datadeck/contract';

/** An entity as it is in one of its accounts: with the settings of its last sync there, and the names of their values. */
export type EntityInAccount = UserEntity & { account?: EntityAccount | undefined };

/** Returns the entity in the account of this name. The values of an account that is not shown have no names. */
export function entityIn(entity: UserEntity, name: string | undefined): EntityInAccount {
  if (entity.accounts.length === 0) return entity;
  const account = entity.accounts.find((one) => one.account === name);
  const { valueNames: _ofDefault, ...rest } = entity;
  const names = account?.valueNames && { valueNames: account.valueNames };
  return { ...rest, lastSettings: account?.lastSettings ?? null, ...names, account };
}

/** Returns the first of the wanted accounts that the entity has, else its default one; undefined before one was connected. */
export function chooseAccount(
  { accounts }: UserEntity,
  ...wanted: readonly (string | undefined)[]
): string | undefined {
  const found = wanted.find((name) => accounts.some(({ account }) => account === name));
  return found ?? accounts.find(({ isDefault }) => isDefault)?.account;
}
