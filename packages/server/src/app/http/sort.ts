import { parseSort, type Sort } from '@datadeck/contract';

/** Returns the sort of a request that its schema has checked. */
export function sortOf({ sort }: { sort?: string | undefined }): Sort | undefined {
  return sort === undefined ? undefined : parseSort(sort);
}
