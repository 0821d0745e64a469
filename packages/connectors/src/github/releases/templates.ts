import type { TemplateDefinition } from '../../sdk/table.ts';
import { allDocuments, daysSince, instantText, percentile } from '../../sdk/template-sql.ts';

const isPublished = 'published_at is not null and draft is distinct from true';

/** Templates over releases. */
export const releaseTemplates: readonly TemplateDefinition[] = [
  allDocuments({
    key: 'releases-all',
    columns: ['name', 'tag_name', 'author', 'draft', 'prerelease', 'published_at'],
    title: 'All releases',
    description: 'Every release with its text and files as GitHub sent it, the newest first.',
  }),
  {
    key: 'releases-cadence',
    kind: 'rows',
    title: 'Release cadence',
    description:
      'Days between the published releases of each repository (median), its last release and the days since, the most recent first.',
    changesWithTime: true,
    sql: `
      select repository, count(*) as releases, count(*) filter (where prerelease) as prereleases,
        ${percentile(0.5, 'days')} as "medianDays", (array_agg(tag order by published_at desc, id desc))[1] as "lastTag",
        ${instantText('max(published_at)')} as "lastRelease", ${daysSince('max(published_at)')} as "daysSince"
      from (
        select *, date_part('epoch', published_at - lag(published_at) over (partition by repository order by published_at, id)) / 86400 as days
        from gh_releases where ${isPublished}
      ) releases
      group by repository order by max(published_at) desc, repository`,
  },
  {
    key: 'releases-downloads',
    kind: 'rows',
    title: 'Downloads by release',
    description: 'Downloads of the files of each published release, the most downloaded first.',
    sql: `
      select repository, title, tag, downloads, files, ${instantText('published_at')} as published, account
      from gh_releases where ${isPublished} order by downloads desc, published_at desc, id`,
  },
  {
    key: 'releases-by-author',
    kind: 'rows',
    title: 'Releases by author',
    description:
      'Published releases of each author, with the last one, the most active first. The field bot marks bots.',
    sql: `
      select author, is_bot as bot, count(*) as releases, ${instantText('max(published_at)')} as last
      from gh_releases where ${isPublished} group by author, is_bot order by count(*) desc, author, is_bot`,
  },
];
