import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ENTITY, ENTITY_ACCOUNT, SCOPE_CHOICE } from '../../../test-support/objects.ts';
import { retryButton } from '../../../test-support/pages.tsx';
import { type Call, renderAs, serve } from '../../../test-support/render.tsx';
import ScopePicker from './scope-picker.tsx';

const SCOPES = { one: 'repository', many: 'repositories', limit: 3 };
const PULLS = { ...ENTITY, id: 'gh-pulls', title: 'Pull Requests', providerId: 'github', isMail: false };
const entityOf = (scopes: string[], since: string | null = null) => ({
  ...PULLS,
  scopes: SCOPES,
  account: { ...ENTITY_ACCOUNT, source: scopes.length > 0 ? { scopes, since } : null },
});
const nameOf = (index: number) => `octo/repo-${index}`;
const repository = (name: string, change = {}) => ({ ...SCOPE_CHOICE, name, title: name, ...change });
const PATTERNS = [{ pattern: 'octo/*', title: 'All repositories of octo', count: 2 }];
const LIST = {
  results: [
    repository('octo/hello', { isPrivate: true, stored: 412, changedAt: '2020-01-01T00:00:00Z' }),
    repository('octo/fork', { isFork: true, isArchived: true }),
    repository('ada/b', { group: 'ada' }),
  ],
  count: 3,
  patterns: PATTERNS,
  isLimited: false,
};

function show(list: (url: URL) => { status?: number; body: unknown }, scopes: string[] = []) {
  const calls = serve(({ url, method }) =>
    method === 'PUT' ? { body: { ok: true } } : list(new URL(url, 'http://localhost')),
  );
  let isClosed = false;
  renderAs(
    { mayChange: true },
    <ScopePicker entity={entityOf(scopes)} account="ada" onClose={() => (isClosed = true)} />,
  );
  return { calls, isClosed: () => isClosed };
}
const box = (name: RegExp) => screen.findByRole<HTMLInputElement>('checkbox', { name });
const saved = (calls: Call[]) => calls.find(({ method }) => method === 'PUT')?.body;

describe('ScopePicker', () => {
  it('lists repositories by owner with what they are, and saves the chosen ones and the day', async () => {
    const { calls, isClosed } = show(() => ({ body: LIST }));
    const row = (await box(/hello/)).closest('li') as HTMLElement;
    expect(within(row).getByText('Private')).toBeTruthy();
    expect(within(row).getByText(/years ago · 412 stored/)).toBeTruthy();
    const group = screen.getByRole('region', { name: 'octo' });
    expect(within(group).getAllByRole('checkbox')).toHaveLength(3);
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    expect(save.disabled).toBe(true);

    fireEvent.click(await box(/ada\/b/));
    expect(screen.getByText('1 of 3 repositories')).toBeTruthy();
    fireEvent.click(await box(/^All repositories of octo/));
    expect(screen.getByText('3 of 3 repositories')).toBeTruthy();
    expect((await box(/octo\/fork/)).disabled).toBe(true);
    fireEvent.change(screen.getByLabelText('Only pull requests updated since'), {
      target: { value: '2026-01-31' },
    });
    fireEvent.click(save);
    await waitFor(() => expect(isClosed()).toBe(true));
    expect(saved(calls)).toEqual({ account: 'ada', scopes: ['ada/b', 'octo/*'], since: '2026-01-31' });
  });

  it('removes a chosen one, and says how many a sync leaves out', async () => {
    show(() => ({ body: LIST }), ['a/1', 'a/2', 'a/3', 'a/4']);
    expect(await screen.findByText('4 of 3 repositories')).toBeTruthy();
    expect(screen.getByText(/a sync leaves out the last 1/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Remove a/1' }));
    expect(screen.getByText('3 of 3 repositories')).toBeTruthy();
    expect(screen.queryByText(/leaves out/)).toBeNull();
  });

  it('loads further pages, and moves between rows by arrow keys', async () => {
    const results = Array.from({ length: 130 }, (_, index) => repository(nameOf(index)));
    const { calls } = show(({ searchParams }) => {
      const start = 100 * (Number(searchParams.get('page')) - 1);
      return { body: { ...LIST, results: results.slice(start, start + 100), count: 130 } };
    });
    const first = await box(/^All repositories of octo/);
    fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'ArrowDown' });
    expect(document.activeElement).toBe(first);
    fireEvent.keyDown(first, { key: 'ArrowDown' });
    expect(document.activeElement).toHaveProperty('value', 'octo/repo-0');
    fireEvent.keyDown(document.activeElement as Element, { key: 'End' });
    expect(document.activeElement).toHaveProperty('value', 'octo/repo-99');
    const stops = () => screen.getAllByRole('checkbox').filter(({ tabIndex }) => tabIndex === 0);
    expect(stops()).toHaveLength(1);

    fireEvent.click(screen.getByRole('button', { name: 'Show more of 130' }));
    await box(/repo-129/);
    expect(screen.queryByRole('button', { name: /^Show more/ })).toBeNull();
    expect(calls.map(({ url }) => /page=\d/.exec(url)?.[0])).toEqual(['page=1', 'page=2']);
  });

  it('says that nothing matches a search', async () => {
    const { calls } = show(({ searchParams }) =>
      searchParams.get('search') ? { body: { ...LIST, results: [], count: 0 } } : { body: LIST },
    );
    await box(/hello/);
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'zzz' } });
    expect(await screen.findByText('No repositories match “zzz”.')).toBeTruthy();
    expect(calls.at(-1)?.url).toContain('search=zzz');
  });

  it("shows the server's sentence when the list cannot be loaded, and tries again", async () => {
    let fails = true;
    const error = { code: 'rate-limited', message: 'GitHub asks to wait. Try again.' };
    show(() => (fails ? { status: 429, body: { error } } : { body: LIST }));
    expect(await screen.findByText('GitHub asks to wait.')).toBeTruthy();
    fails = false;
    fireEvent.click(await retryButton());
    expect(await box(/hello/)).toBeTruthy();
  });
});
