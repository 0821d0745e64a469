import { type JsonObject, type ReadingDefinition, readObjects, readText } from '../../sdk/index.ts';
import { numberText, shortHash, textIn, unlessEmpty, wordText } from '../records/reading-fields.ts';
import { secondsOf } from '../records/run-record.ts';

/** Returns a duration as people read it: `1 h 4 min`, `2 min 32 s`, `9 s`. */
export function durationText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours.toLocaleString('en')} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

function durationOf({ status, run_started_at, updated_at }: JsonObject): string {
  const seconds = secondsOf({
    status: readText(status),
    run_started_at: readText(run_started_at),
    updated_at: readText(updated_at),
  });
  return seconds === null ? '' : durationText(seconds);
}

/** Returns the name of the workflow with the number of the run: `Build #562`. */
function workflowOf({ name, path, run_number }: JsonObject): string {
  const number = numberText(run_number).replaceAll(',', '');
  return `${readText(name) || readText(path)}${number === '' ? '' : ` #${number}`}`.trim();
}

/** The reading of workflow runs; the text is the message of the commit. */
export const runReading: ReadingDefinition = {
  fields: [
    'name',
    'path',
    'run_number',
    'status',
    'conclusion',
    'repository',
    'head_branch',
    'head_sha',
    'event',
    'run_attempt',
    'run_started_at',
    'updated_at',
    'actor',
    'pull_requests',
    'head_commit',
    'html_url',
  ],
  read(run) {
    const pulls = readObjects(run.pull_requests).flatMap(({ number }) =>
      typeof number === 'number' ? [`#${number}`] : [],
    );
    return {
      facts: [
        { title: 'Workflow', values: unlessEmpty(workflowOf(run)) },
        { title: 'Result', values: unlessEmpty(wordText(run.conclusion) || wordText(run.status)) },
        { title: 'Duration', values: unlessEmpty(durationOf(run)) },
        { title: 'Attempt', values: unlessEmpty(numberText(run.run_attempt)) },
        { title: 'Repository', values: unlessEmpty(textIn(run.repository, 'full_name')) },
        { title: 'Branch', values: unlessEmpty(readText(run.head_branch)) },
        { title: 'Event', values: unlessEmpty(wordText(run.event)) },
        { title: 'Actor', values: unlessEmpty(textIn(run.actor, 'login')) },
        { title: 'Pull requests', values: pulls },
        { title: 'Commit', values: unlessEmpty(shortHash(run.head_sha)) },
      ],
      labels: [],
      text: textIn(run.head_commit, 'message'),
      textFormat: 'plain',
      html: null,
      isTruncated: false,
      url: readText(run.html_url) || null,
    };
  },
};
