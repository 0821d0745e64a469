import { isDay, type ScopeChoices, type UserEntity } from '@datadeck/contract';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { causeOf, sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/duration.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { CONTROL, TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { ChosenScopes } from './chosen-scopes.tsx';
import type { EntityInAccount } from './entity-account.ts';
import { type ChoiceGroup, countChosen, groupChoices, isCovered } from './scope-choice.ts';
import { PatternRow, ScopeRow } from './scope-rows.tsx';
import { countScopes, scopeTitle, sinceInWords } from './source-words.ts';
import { useSaveSourceMutation, useScopeChoicesInfiniteQuery } from './sources-api.ts';
import { useRowKeys } from './use-row-keys.ts';

/** Time after the last key until the list is searched, ms. */
const SETTLE_MS = 250;

type Scopes = NonNullable<UserEntity['scopes']>;
type Listed = Pick<ScopeChoices, 'results' | 'patterns' | 'count' | 'isLimited'>;

interface ScopePickerProps {
  entity: EntityInAccount & { scopes: Scopes };
  account: string;
  onClose: () => void;
}

/** Loads the scopes that match a search, page by page. */
function useChoices({ entity, account }: ScopePickerProps, search: string) {
  const [settled] = useSettled(search, SETTLE_MS);
  const { data, ...load } = useScopeChoicesInfiniteQuery({
    providerId: entity.providerId,
    entityLabel: entity.id,
    account,
    search: settled.trim(),
  });
  const listed = useMemo<Listed | undefined>(() => {
    const first = data?.pages[0];
    return first && { ...first, results: data.pages.flatMap(({ results }) => results) };
  }, [data]);
  return { listed, search: settled, ...load };
}

/** Remembers the titles of all scopes that were listed, so that the chosen ones keep theirs during a search. */
function useTitles(entity: UserEntity, listed: Listed | undefined): (text: string) => string {
  const titles = useRef(new Map<string, string>());
  useEffect(() => {
    for (const { name, title } of listed?.results ?? []) titles.current.set(name, title);
    for (const { pattern, title } of listed?.patterns ?? []) titles.current.set(pattern, title);
  }, [listed]);
  const known = new Map([
    ...titles.current,
    ...(listed?.results ?? []).map(({ name, title }) => [name, title] as const),
    ...(listed?.patterns ?? []).map(({ pattern, title }) => [pattern, title] as const),
  ]);
  return (text) => known.get(text) ?? scopeTitle(text, entity);
}

function useChosen({ entity, account, onClose }: ScopePickerProps) {
  const [initial] = useState(() => entity.account?.source ?? { scopes: [], since: null });
  const [chosen, setChosen] = useState<readonly string[]>(initial.scopes);
  const [since, setSince] = useState(initial.since ?? '');
  const [save, { isLoading, error }] = useSaveSourceMutation();
  const isDirty = chosen !== initial.scopes || since !== (initial.since ?? '');
  const toggle = (text: string, isWanted: boolean) =>
    setChosen(isWanted ? [...chosen, text] : chosen.filter((one) => one !== text));
  async function submit() {
    const { error: failure } = await save({
      providerId: entity.providerId,
      entityLabel: entity.id,
      account,
      scopes: chosen,
      since: since === '' ? null : since,
    });
    if (failure) return;
    toasts.success(`The ${entity.scopes.many} were saved`);
    onClose();
  }
  return { chosen, since, isDirty, isLoading, error, setSince, toggle, submit };
}

/** Says how many are chosen, and how many the plan allows: `12 of 100 repositories`. */
function ChosenCount({ count, entity }: { count: number; entity: UserEntity & { scopes: Scopes } }) {
  const { limit, many } = entity.scopes;
  const isOver = limit !== null && count > limit;
  return (
    <p aria-live="polite" className={classNames('text-13 tabular-nums', isOver && 'text-error-text')}>
      <span className="font-medium">
        {limit === null
          ? countScopes(count, entity)
          : `${formatCount(count)} of ${formatCount(limit)} ${many}`}
      </span>
      {isOver && ` · a sync leaves out the last ${formatCount(count - limit)}`}
    </p>
  );
}

interface GroupListProps {
  groups: readonly ChoiceGroup[];
  label: string;
  chosen: readonly string[];
  keys: ReturnType<typeof useRowKeys>;
  onToggle: (text: string, isWanted: boolean) => void;
}

/** The listed scopes by owner, below the patterns of each. */
function GroupList({ groups, label, chosen, keys, onToggle }: GroupListProps) {
  const boxOf = (value: string) => ({
    value,
    tabIndex: keys.tabIndexOf(value),
    isChecked: chosen.includes(value),
    onToggle,
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be hidden from the layout of a fieldset
    <div ref={keys.ref} role="group" aria-label={label} {...keys.list} className="flex flex-col gap-4">
      {groups.map((group) => (
        <section key={group.name} aria-label={group.name || label}>
          {group.name !== '' && (
            <h3 className="px-2 pb-1 text-12 font-semibold text-ink-2">
              <bdi>{group.name}</bdi>
            </h3>
          )}
          <ul className="rounded-md border p-1">
            {group.patterns.map((pattern) => (
              <li key={pattern.pattern}>
                <PatternRow pattern={pattern} {...boxOf(pattern.pattern)} />
              </li>
            ))}
            {group.choices.map((choice, index) => (
              <li
                key={choice.name}
                className={classNames(index === 0 && group.patterns.length > 0 && 'mt-1 border-t pt-1')}
              >
                <ScopeRow choice={choice} isIncluded={isCovered(choice, chosen)} {...boxOf(choice.name)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Says that nothing was found, and why. */
function NothingFound({ search, many }: { search: string; many: string }) {
  return (
    <p className="rounded-md border px-4 py-8 text-center text-13 text-ink-3">
      {search.trim() === '' ? `The account sees no ${many}.` : `No ${many} match “${search.trim()}”.`}
    </p>
  );
}

/** The dialog in which the scopes of a source are chosen, by name or by pattern, and the day since which a first sync reads. */
export default function ScopePicker(props: ScopePickerProps) {
  const { entity } = props;
  const { one, many } = entity.scopes;
  const formId = useId();
  const [text, setText] = useState('');
  const { listed, search, error, isFetching, refetch, hasNextPage, fetchNextPage } = useChoices(props, text);
  const { chosen, since, toggle, ...choice } = useChosen(props);
  const titleOf = useTitles(entity, listed);
  const close = useUnsaved(choice.isDirty, props.onClose);
  const groups = listed ? groupChoices(listed, { search, chosen }) : [];
  const rows = groups.flatMap((group) => [
    ...group.patterns.map(({ pattern }) => pattern),
    ...group.choices.filter((row) => !isCovered(row, chosen)).map(({ name }) => name),
  ]);
  const keys = useRowKeys(rows);
  const isWrong = since !== '' && !isDay(since);
  const label = many.charAt(0).toUpperCase() + many.slice(1);
  return (
    <Dialog
      open
      onClose={close}
      size="lg"
      title={`Choose ${many}`}
      subtitle={entity.title}
      footer={
        <>
          <div className="mr-auto min-w-0 basis-full sm:flex-1 sm:basis-0">
            <ChosenCount
              count={countChosen(chosen, listed ?? { results: [], patterns: [] })}
              entity={entity}
            />
          </div>
          <Button onClick={close}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            busy={choice.isLoading}
            disabled={choice.isLoading || chosen.length === 0 || isWrong}
            title={chosen.length === 0 ? `Choose at least one ${one}` : undefined}
          >
            Save
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void choice.submit();
        }}
      >
        {choice.error !== undefined && <NoticeLine tone="error">{sentenceOf(choice.error)}</NoticeLine>}
        <TextField
          type="date"
          label={sinceInWords(entity)}
          hint={`Optional. The first sync of each ${one} reads back to this day.`}
          error={isWrong ? 'Must be a day such as 2026-01-31' : undefined}
          className="sm:max-w-48"
          max="9999-12-31"
          value={since}
          onChange={({ target }) => choice.setSince(target.value)}
        />
        <div className="sticky -top-5 z-10 -mx-5 -mt-1 flex flex-col gap-3 border-b bg-raised px-5 py-3">
          <input
            type="search"
            data-autofocus
            aria-label={`Search ${many}`}
            placeholder={`Search ${many}`}
            maxLength={200}
            value={text}
            className={classNames(CONTROL, 'h-8 touch:h-10')}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.preventDefault();
              if (event.key !== 'ArrowDown') return;
              event.preventDefault();
              keys.enter();
            }}
          />
          <ChosenScopes
            label={`Chosen ${many}`}
            chosen={chosen}
            titleOf={titleOf}
            onRemove={(one) => toggle(one, false)}
          />
        </div>
        {error !== undefined && <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />}
        {!listed && error === undefined && (
          <LoadingRows rows={6} words={`Asking the provider for the ${many}...`} />
        )}
        {listed && groups.length === 0 && <NothingFound search={search} many={many} />}
        {groups.length > 0 && (
          <GroupList groups={groups} label={label} chosen={chosen} keys={keys} onToggle={toggle} />
        )}
        {listed && hasNextPage && (
          <Button
            className="self-center"
            busy={isFetching}
            disabled={isFetching}
            onClick={() => void fetchNextPage()}
          >
            Show more of {formatCount(listed.count)}
          </Button>
        )}
        {listed?.isLimited && (
          <p className="text-12 text-ink-3">
            The account has more {many} than can be listed. “All {many}” of an owner includes the others.
          </p>
        )}
      </form>
    </Dialog>
  );
}
