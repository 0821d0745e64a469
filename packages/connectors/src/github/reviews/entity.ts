import type { EntityDefinition } from '../../sdk/index.ts';
import { convertReview } from '../records/review-record.ts';
import { repositoryEntity } from '../repository/repository-entity.ts';
import { reviewReading } from './content.ts';
import { reviewReader } from './reader.ts';
import { reviewSearch } from './search.ts';
import { reviewTable } from './table.ts';
import { reviewTemplates } from './templates.ts';

/** Declares the entity of the reviews of pull requests. @param graphql address of GraphQL */
export function ghReviews(graphql: string): EntityDefinition {
  return repositoryEntity({
    id: 'gh-reviews',
    title: 'Reviews',
    description:
      '<p>Reviews of pull requests: who approved or asked for changes, and when. Those of the pull request that was opened last come first.</p>',
    table: reviewTable,
    templates: reviewTemplates,
    search: reviewSearch,
    reading: reviewReading,
    globalIds: { newestBy: 'updated_at' },
    extraction: 1,
    convert: convertReview,
    ...reviewReader(graphql),
  });
}
