import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findPromtool } from './test-tools.ts';

const ROOT = join(import.meta.dirname, '..');
const RULES = readFileSync(join(ROOT, 'deploy/prometheus/alerts.yml'), 'utf8');
const PAGES = 'docs/run/alerts';
const PROMTOOL = findPromtool();
const folder = mkdtempSync(join(tmpdir(), 'datadeck-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));

if (PROMTOOL === undefined)
  console.warn(
    'Tests of the alert rules are skipped: promtool is not installed (apt-get install prometheus)',
  );

/** Runs promtool in the folder of the rules. @throws Error with its output when it finds a problem */
function promtool(...args: string[]): string {
  return execFileSync(PROMTOOL ?? '', args, {
    cwd: join(ROOT, 'deploy/prometheus'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Returns the first group of each match. */
const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');

describe('the alert rules', () => {
  it.skipIf(PROMTOOL === undefined)('are valid, fire when they should and stay silent otherwise', () => {
    expect(promtool('check', 'rules', 'alerts.yml')).toContain('SUCCESS');
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  });

  it('are each tested to fire', () => {
    const tests = readFileSync(join(ROOT, 'deploy/prometheus/alerts.test.yml'), 'utf8');
    const firing = matches(tests, /alertname: (\w+)\n\s+exp_alerts:\n\s+- exp_labels/g);
    expect([...new Set(firing)].sort()).toEqual(matches(RULES, /alert: (\w+)/g).sort());
  });

  it('each have a page that names them, and each page has an alert', () => {
    const alerts = matches(RULES, /alert: (\w+)/g);
    const runbooks = matches(RULES, /runbook: (\S+)/g);
    expect(runbooks).toHaveLength(alerts.length);
    for (const [index, alert] of alerts.entries())
      expect(readFileSync(join(ROOT, runbooks[index] ?? ''), 'utf8')).toContain(`\`${alert}\``);
    const pages = globSync(`${PAGES}/*.md`, { cwd: ROOT }).sort();
    expect(pages).toEqual([...new Set(runbooks)].sort());
    const overview = readFileSync(join(ROOT, 'docs/run/observability.md'), 'utf8');
    for (const page of pages) expect(overview).toContain(page.replace('docs/run', '.'));
  });
});

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

describe('the dashboard', () => {
  it.skipIf(PROMTOOL === undefined)('has valid queries only', () => {
    const { panels } = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana/datadeck.json'), 'utf8')) as {
      panels: Panel[];
    };
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(20);
    const rules = queries.map((query, index) => ({
      record: `panel:${index}`,
      expr: query.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    }));
    const file = join(folder, 'queries.json');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(promtool('check', 'rules', file)).toContain(`${rules.length} rules found`);
  });

  it('refers to panels that exist on the runbook pages', () => {
    const dashboard = readFileSync(join(ROOT, 'deploy/grafana/datadeck.json'), 'utf8');
    const text = globSync(`${PAGES}/*.md`, { cwd: ROOT }).map((page) =>
      readFileSync(join(ROOT, page), 'utf8'),
    );
    const named = matches(text.join('\n'), /[Pp]anel \*([^*]+)\*/g);
    expect(named.length).toBeGreaterThan(5);
    for (const title of named) expect(dashboard).toContain(`"title": "${title}`);
  });
});
