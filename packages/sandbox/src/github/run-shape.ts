import { hash } from 'node:crypto';
import { isoSeconds, nodeId } from './links.ts';
import type { RunFacts } from './record-facts.ts';
import type { RepositoryScene, Shape } from './repository-scene.ts';

/** Returns a run of a workflow (schema workflow-run). */
export function runShape(scene: RepositoryScene, run: RunFacts): Shape {
  const url = `${scene.api}/actions/runs/${run.id}`;
  const suite = run.id + 7_000_000_000;
  const person = { name: run.actor, email: `${run.actor.replace('[bot]', '')}@users.noreply.github.com` };
  return {
    id: run.id,
    name: run.workflow.name,
    node_id: nodeId('WFR', run.id),
    head_branch: run.branch,
    head_sha: run.sha,
    path: run.workflow.path,
    display_title: run.title,
    run_number: run.runNumber,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: run.workflow.id,
    check_suite_id: suite,
    check_suite_node_id: nodeId('CS', suite),
    url,
    html_url: `${scene.web}/actions/runs/${run.id}`,
    pull_requests: run.pull === null ? [] : [pullShape(scene, run, run.pull)],
    created_at: isoSeconds(run.createdAt),
    updated_at: isoSeconds(run.updatedAt),
    actor: scene.user(run.actor),
    run_attempt: run.attempt,
    referenced_workflows: [],
    run_started_at: isoSeconds(run.startedAt),
    triggering_actor: scene.user(run.triggeredBy),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${scene.api}/check-suites/${suite}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: run.attempt > 1 ? `${url}/attempts/${run.attempt - 1}` : null,
    workflow_url: `${scene.api}/actions/workflows/${run.workflow.id}`,
    head_commit: {
      id: run.sha,
      tree_id: hash('sha1', `tree of ${run.sha}`),
      message: run.title,
      timestamp: isoSeconds(run.createdAt),
      author: person,
      committer: { name: 'GitHub', email: 'noreply@github.com' },
    },
    repository: scene.minimalRepository(),
    head_repository: scene.minimalRepository(),
  };
}

function pullShape(scene: RepositoryScene, run: RunFacts, pull: NonNullable<RunFacts['pull']>): Shape {
  const { id, name } = scene.facts;
  const repo = { id, url: scene.api, name };
  return {
    url: `${scene.api}/pulls/${pull.number}`,
    id: pull.id,
    number: pull.number,
    head: { ref: run.branch ?? '', sha: run.sha, repo },
    base: { ref: pull.baseRef, sha: pull.baseSha, repo },
  };
}
