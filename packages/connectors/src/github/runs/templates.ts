import type { TemplateDefinition } from '../../sdk/table.ts';
import { allDocuments, instantText, monthOf, percentile } from '../../sdk/template-sql.ts';

const hasFailed = `conclusion in ('failure', 'timed_out', 'startup_failure')`;
const minutes = 'round(sum(duration_seconds) / 60.0, 1)';

/** Templates over workflow runs. Minutes are those from start to end of the last attempt, not those that are billed. */
export const runTemplates: readonly TemplateDefinition[] = [
  allDocuments({
    key: 'runs-all',
    columns: ['name', 'display_title', 'head_branch', 'event', 'status', 'conclusion', 'created_at'],
    title: 'All workflow runs',
    description: 'Every run of a workflow as GitHub sent it, with its last attempt, the newest first.',
  }),
  {
    key: 'runs-flaky',
    kind: 'rows',
    title: 'Flaky workflows',
    description:
      'Workflows that failed and then passed on the same commit: in another run, or in a later attempt of the run (the field retried). GitHub lists only the last attempt of a run, so one that passed after the first counts.',
    sql: `
      select repository, workflow, count(*) as commits, count(*) filter (where is_flaky) as flaky,
        count(*) filter (where is_retried) as retried,
        round(100.0 * count(*) filter (where is_flaky) / count(*), 1) as "flakyPercent",
        ${instantText('max(last) filter (where is_flaky)')} as last
      from (
        select repository, workflow, last, is_retried, is_retried or coalesce(first_failed < last_passed, false) as is_flaky
        from (
          select repository, workflow, max(occurred_at) as last,
            coalesce(bool_or(conclusion = 'success' and attempt > 1), false) as is_retried,
            min(occurred_at) filter (where ${hasFailed}) as first_failed,
            max(occurred_at) filter (where conclusion = 'success') as last_passed
          from gh_runs where status = 'completed' and sha is not null
          group by repository, workflow, workflow_id, sha
        ) commits
      ) marked
      group by repository, workflow having bool_or(is_flaky)
      order by count(*) filter (where is_flaky) desc, repository, workflow`,
  },
  {
    key: 'runs-minutes',
    kind: 'rows',
    title: 'Build minutes by workflow and month',
    description:
      'Minutes of the completed runs of each workflow in each month (UTC), from start to end of their last attempts, the newest month first.',
    sql: `
      select to_char(began, 'YYYY-MM') as month, repository, workflow, runs, minutes
      from (
        select ${monthOf('occurred_at')} as began, repository, workflow, count(*) as runs, ${minutes} as minutes
        from gh_runs where duration_seconds is not null group by 1, 2, 3
      ) months
      order by began desc, minutes desc, repository, workflow`,
  },
  {
    key: 'runs-failure-rate',
    kind: 'rows',
    title: 'Failure rate by workflow',
    description:
      'How many runs of each workflow failed, of those that passed or failed, the most often failing first.',
    sql: `
      select repository, workflow, count(*) as runs, count(*) filter (where ${hasFailed}) as failed,
        round(100.0 * count(*) filter (where ${hasFailed}) / count(*), 1) as "failedPercent",
        ${instantText(`max(occurred_at) filter (where ${hasFailed})`)} as "lastFailure"
      from gh_runs where conclusion = 'success' or ${hasFailed}
      group by repository, workflow
      order by 100.0 * count(*) filter (where ${hasFailed}) / count(*) desc, count(*) desc, repository, workflow`,
  },
  {
    key: 'runs-slowest',
    kind: 'rows',
    title: 'Slowest workflows',
    description:
      'Minutes of the runs of each workflow that passed: median, 90th percentile and the longest, the slowest first.',
    sql: `
      select repository, workflow, count(*) as runs, ${percentile(0.5, 'duration_seconds / 60.0')} as "medianMinutes",
        ${percentile(0.9, 'duration_seconds / 60.0')} as "p90Minutes", round(max(duration_seconds) / 60.0, 1) as "longestMinutes"
      from gh_runs where conclusion = 'success' and duration_seconds is not null
      group by repository, workflow
      order by percentile_cont(0.5) within group (order by duration_seconds) desc, repository, workflow`,
  },
  {
    key: 'runs-by-actor',
    kind: 'rows',
    title: 'Workflow runs by person',
    description:
      'Runs that each person caused, those that failed, and their minutes. The field bot marks bots.',
    sql: `
      select actor, is_bot as bot, count(*) as runs, count(*) filter (where ${hasFailed}) as failed,
        coalesce(${minutes}, 0) as minutes
      from gh_runs group by actor, is_bot order by count(*) desc, actor, is_bot`,
  },
];
