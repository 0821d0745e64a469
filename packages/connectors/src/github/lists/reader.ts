import { parseSaved } from '../../sdk/index.ts';
import { repositoryOf } from '../repository/repository-names.ts';
import { cursorAfter, listIds, readAll } from './all.ts';
import { readChanges } from './changes.ts';
import type { EntityReader, MergedList } from './entity-reader.ts';
import { estimateList } from './estimate.ts';
import type { RepositoryList } from './repository-list.ts';
import { unlessSwitchedOff } from './switched-off.ts';
import { cursorSchema } from './watermark.ts';

/** Returns a list that is read together with another. */
export function mergedList(list: RepositoryList): MergedList {
  return { reader: readerOf(list), cursorAfter };
}

/** Returns how an entity of one list is read: the whole list, then its changes. */
export function readerOf(list: RepositoryList): EntityReader {
  return unlessSwitchedOff({
    async *read(request) {
      const place = { list, repository: repositoryOf(request.settings) };
      const cursor = parseSaved(cursorSchema, request.cursor);
      if (cursor) return yield* readChanges(request, place, cursor);
      return yield* readAll(request, place);
    },
    estimate: (request) => estimateList(request, { list, repository: repositoryOf(request.settings) }),
    listIds: (request) => listIds(request, { list, repository: repositoryOf(request.settings) }),
  });
}
