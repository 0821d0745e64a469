import { isUsedUp, type Schedule, type Setting } from '@datadeck/contract';
import { FileDiff } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { causeOf, sentenceOf } from '../../api/failure.ts';
import type { Sync } from '../../api/models.ts';
import { useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { AccountChoice } from './account-choice.tsx';
import { CronSchedules } from './cron-schedules.tsx';
import { DeleteLastSync } from './delete-last-sync.tsx';
import { type EntityInAccount, entityIn } from './entity-account.ts';
import { EntityFacts } from './entity-facts.tsx';
import { ExportMenu } from './export-menu.tsx';
import { LimitRemedy } from './limit-remedy.tsx';
import { RepeatSetting } from './repeat-setting.tsx';
import { RunningSync } from './running-sync.tsx';
import { AllScopesButton } from './scopes-receipt.tsx';
import { initialValues, SettingsForm, useSettingsForm } from './settings-form.tsx';
import { useShownReceipt } from './shown-receipts.ts';
import { SourceSetting } from './source-setting.tsx';
import { scopesInWords } from './source-words.ts';
import { StartSyncButton } from './start-sync-button.tsx';
import { SyncPlanLine } from './sync-plan-line.tsx';
import { SyncReceipt } from './sync-receipt.tsx';
import { UsageCounter } from './usage-counter.tsx';
import { useStart } from './use-start.ts';
import { VerifySync } from './verify-sync.tsx';

export interface SyncDetailsProps {
  /** The entity in the chosen account. */
  entity: EntityInAccount;
  providerTitle: string;
  /** Name of the account in read-only mode; undefined if there is one. */
  accountTitle?: string | undefined;
  /** The running sync, if any. */
  current?: Sync | undefined;
  /** The last ended sync; in history mode, the selected one. */
  last?: Sync | undefined;
  /** Whether the data is the sample of a demo workspace. */
  isSample?: boolean;
  /** Read-only mode: nothing can be started or deleted. */
  isHistory?: boolean;
  /** Why a sync cannot start and what to do; null when it can. */
  blockedReason?: ReactNode;
  /** The entity's schedules; undefined when they have not been loaded. */
  schedules?: readonly Schedule[] | undefined;
  /** Set when the schedules could not be loaded. */
  schedulesFailure?: { error?: unknown; isFetching: boolean; refetch: () => unknown } | undefined;
  /** Chooses another account of the entity. */
  onAccount?: ((account: string) => void) | undefined;
  /** Leads from the last sync, if it finished, to its records. */
  nextSteps?: ReactNode;
  onClose: () => void;
  /** Opens the list of a sync's changes. */
  onChanges?: ((sync: Sync) => void) | undefined;
  /** Opens the Example Data dialog for a setting. */
  onHelp?: (setting: Setting) => void;
}

function hasChanged({ summary }: Sync): boolean {
  return (summary.added ?? 0) + (summary.updated ?? 0) + (summary.removed ?? 0) > 0;
}

/** The actions below the receipt of an ended sync. */
function ReceiptActions({
  entity,
  last,
  isHistory,
  blockedReason,
  onChanges,
}: SyncDetailsProps & { last: Sync }) {
  const canShowChanges = onChanges !== undefined && hasChanged(last);
  const canVerify = !isHistory && !blockedReason;
  if (!canShowChanges && !canVerify && !last.scopes) return null;
  return (
    <div className="flex flex-wrap items-start gap-2">
      {canShowChanges && (
        <Button size="sm" icon={<FileDiff size={14} />} onClick={() => onChanges(last)}>
          What changed
        </Button>
      )}
      <AllScopesButton sync={last} entity={entity} />
      {canVerify && <VerifySync key={last.account} sync={last} entity={entity} />}
    </div>
  );
}

/** The running sync, and below it the receipt of the last one. */
function LastSynchronization(props: SyncDetailsProps) {
  const { entity, current, last } = props;
  if (!current && !last)
    return (
      <p className="text-13 text-ink-3">Not synchronized yet. Check the settings and start the first sync.</p>
    );
  return (
    <div className="flex flex-col gap-3">
      {current && <RunningSync sync={current} entity={entity} />}
      {last && (
        <section
          aria-label={`Receipt of #${last.number}`}
          className={classNames('flex flex-col gap-3', current && 'border-t pt-3')}
        >
          {current && <h4 className="text-12 text-ink-3">Before: #{last.number}</h4>}
          <SyncReceipt sync={last} entity={entity} />
          {!current && last.status === 'finished' && props.nextSteps}
          <ReceiptActions
            {...props}
            last={last}
            blockedReason={props.blockedReason || current !== undefined}
          />
        </section>
      )}
    </div>
  );
}

/** Returns the cap of a past sync under its plan at that time; undefined for sample data. */
function capOf(sync: Sync | undefined, entity: EntityInAccount): number | null | undefined {
  return sync === undefined || sync.status === 'started' ? entity.cap : sync.summary.cap;
}

/** The 'Overview' dialog of an entity: details, last synchronization, settings, and the button that starts a sync. */
export function SyncDetailsDialog(props: SyncDetailsProps) {
  const {
    entity,
    providerTitle,
    current,
    last,
    isHistory = false,
    isSample = false,
    blockedReason,
    onClose,
  } = props;
  const cap = isHistory ? capOf(last, entity) : entity.cap;
  const formId = useId();
  const [hasStarted, setHasStarted] = useState(false);
  const form = useSettingsForm(entity, isHistory ? last?.entitySettings : undefined);
  const { start, isRequesting, error, reset } = useStart(entity, last);
  const account = entity.account?.account;
  useShownReceipt({ entityLabel: entity.id, account }, !isHistory);
  const sentences = [last?.summary.reason, error && sentenceOf(error)];
  const mayChange = useMayChange();
  const isExhausted = isUsedUp(entity.usage);
  function choose(next: string) {
    // In the same update as the account, so that no plan of its old settings is loaded.
    form.reset(initialValues(entityIn(entity, next)));
    reset();
    props.onAccount?.(next);
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      kicker="Overview"
      title={entity.title}
      aside={<UsageCounter usage={entity.usage} />}
      footer={
        isHistory ? undefined : (
          <>
            {last && !current && <DeleteLastSync sync={last} entityTitle={entity.title} />}
            {isExhausted && (
              <span className="mr-auto min-w-0 flex-1 basis-64 text-12 text-ink-3">
                You have used all runs of this month. <LimitRemedy />
              </span>
            )}
            {mayChange && !blockedReason && !current && !isExhausted && (
              <SyncPlanLine key={account} entity={entity} values={form.watch()} shown={sentences} />
            )}
            <StartSyncButton
              form={formId}
              currentStatus={current?.status ?? ''}
              lastStatus={last?.status ?? ''}
              isRequesting={isRequesting}
              isDisabled={Boolean(blockedReason)}
              isHistory={isHistory}
              usage={entity.usage}
            />
          </>
        )
      }
    >
      <div className="grid gap-4 md:grid-cols-2">
        {props.onAccount && entity.accounts.length > 1 && (
          <div className="md:col-span-2">
            <AccountChoice accounts={entity.accounts} account={entity.account} onChange={choose} />
          </div>
        )}
        {blockedReason && <div className="md:col-span-2">{blockedReason}</div>}
        <Card level={3} title="Details" actions={!isHistory && last && <ExportMenu entity={entity} />}>
          <EntityFacts
            entity={entity}
            accountTitle={props.accountTitle}
            providerTitle={providerTitle}
            cap={cap}
            isSample={isSample}
          />
        </Card>
        <Card
          level={3}
          title={isHistory && last ? `Synchronization #${last.number}` : 'Last synchronization'}
        >
          <LastSynchronization {...props} />
        </Card>
        <Card level={3} title="Settings" className="md:col-span-2">
          <div className="flex flex-col gap-4">
            {hasStarted && error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
            <SettingsForm
              id={formId}
              entity={entity}
              cap={cap}
              form={form}
              isReadOnly={isHistory}
              hidesFields={isHistory ? last?.scopes !== undefined : Boolean(entity.account?.source)}
              onHelp={entity.dependsOn.length > 0 ? props.onHelp : undefined}
              onSubmit={(values) => {
                setHasStarted(true);
                void start(values);
              }}
            />
            {!isHistory && <SourceSetting key={`${account} source`} entity={entity} />}
            {isHistory && last?.scopes && (
              <p className="text-13 font-medium wrap-anywhere">{scopesInWords(last.scopes, entity)}</p>
            )}
            {!isHistory && props.schedulesFailure && (
              <LoadFailure
                sentence="The schedule could not be loaded."
                detail={causeOf(props.schedulesFailure.error)}
                busy={props.schedulesFailure.isFetching}
                onRetry={props.schedulesFailure.refetch}
              />
            )}
            {!isHistory && props.schedules !== undefined && (
              <>
                <RepeatSetting key={account} entity={entity} schedules={props.schedules} form={form} />
                <CronSchedules
                  key={`${account} cron`}
                  entity={entity}
                  schedules={props.schedules}
                  form={form}
                />
              </>
            )}
          </div>
        </Card>
      </div>
    </Dialog>
  );
}
