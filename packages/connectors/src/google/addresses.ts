import { addressParser } from 'postal-mime';

export interface MailAddress {
  name: string;
  address: string;
}

/** An address header (decoded) -> addresses; groups are flattened, what cannot be read is kept as a name. */
export function parseAddresses(header: string | undefined): MailAddress[] {
  if (header === undefined || header.trim() === '') return [];
  try {
    const parsed = addressParser(header, { flatten: true });
    return parsed.map((entry) => ({
      name: (entry.name ?? '').trim(),
      address: ('address' in entry ? (entry.address ?? '') : '').trim(),
    }));
  } catch {
    return [{ name: header.trim(), address: '' }];
  }
}

/** The domain of an address, lower case; empty when there is none. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? '' : address.slice(at + 1).toLowerCase();
}
