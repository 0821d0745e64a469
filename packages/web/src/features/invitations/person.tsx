import type { SharingPerson } from '@datadeck/contract';

/** Name and address of the other person of an invitation. Names are chosen by people, so an unverified address is marked. */
export function Person({ person: { name, email, isUnverified } }: { person: SharingPerson }) {
  return (
    <>
      <bdi className="font-medium text-ink">{name}</bdi>
      {email !== '' && email !== name && (
        <>
          {' '}
          (<bdi>{email}</bdi>)
        </>
      )}
      {isUnverified && ', address not verified'}
    </>
  );
}
