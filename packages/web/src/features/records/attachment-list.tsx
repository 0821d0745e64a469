import type { Attachments, RecordReading } from '@datadeck/contract';
import { Download, File } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { callOf } from '../../api/call-of.ts';
import { useFetchFile } from '../../api/download.ts';
import { errorOf, sentenceOf } from '../../api/failure.ts';
import type { RequestError } from '../../api/request.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/byte-size.ts';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatDuration } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Spinner } from '../../ui/spinner.tsx';

/** Fact of the reading that the list shows. */
export const ATTACHMENTS_FACT = 'Attachments';

/** Files that are shown at once. */
const FIRST_FILES = 6;

type AttachedFile = Attachments['files'][number];

/** Returns the extension of a name in capitals, as far as it says what the file is: `PDF`. */
export function extensionOf(name: string): string | undefined {
  return /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase();
}

const sizeOf = ({ size }: AttachedFile) => (size === null ? 'Size unknown' : formatBytes(size));

/** Why a file was not saved, with the way out: the time to wait, or the page on which its account is connected. */
function SaveFailure({ error }: { error: RequestError }) {
  const known = errorOf(error);
  const mustConnect = known?.code === 'not-connected' || known?.code === 'reconnect-needed';
  const { retryAfter } = known ?? {};
  return (
    <NoticeLine tone="error">
      {sentenceOf(error)}
      {retryAfter !== undefined && retryAfter > 5 && ` Try again in ${formatDuration(retryAfter)}.`}
      {mustConnect && (
        <>
          {' '}
          <Link to={PATHS.providers} className="font-medium underline">
            Open Providers
          </Link>
        </>
      )}
    </NoticeLine>
  );
}

/** What a file is: its type, name and size. */
function FileLine({ file }: { file: AttachedFile }) {
  const { name, mimeType } = file;
  const extension = extensionOf(name);
  return (
    <>
      <span
        title={mimeType}
        className="flex h-8 w-12 shrink-0 items-center justify-center rounded-sm bg-sunken text-12 font-semibold text-ink-2"
      >
        {extension ?? <File aria-hidden="true" size={16} />}
      </span>{' '}
      <span className="flex min-w-0 flex-1 flex-col">
        <bdi dir="ltr" title={name} className="truncate text-left text-13 font-medium text-ink">
          {name}
        </bdi>{' '}
        <span className="truncate text-left text-12 text-ink-3 tabular-nums">
          {sizeOf(file)}
          {extension === undefined && mimeType !== '' && ` · ${mimeType}`}
        </span>
      </span>
    </>
  );
}

const ROW = 'flex min-h-12 w-full items-center gap-3 rounded-md border p-1.5 pr-3';

interface SaveButtonProps {
  file: AttachedFile;
  busy: boolean;
  errorId: string | undefined;
  onSave: () => void;
}

/** A file as a button that saves it. */
function SaveButton({ file, busy, errorId, onSave }: SaveButtonProps) {
  return (
    <button
      type="button"
      aria-describedby={errorId}
      aria-disabled={busy}
      onClick={onSave}
      className={classNames(
        ROW,
        'transition-colors duration-100 hover:bg-hover focus-visible:outline-2 focus-visible:outline-offset-1 focus-visible:outline-accent-text',
      )}
    >
      <span className="sr-only">{busy ? 'Fetching' : 'Save'}</span> <FileLine file={file} />
      {busy ? <Spinner /> : <Download aria-hidden="true" size={16} className="shrink-0 text-ink-3" />}
    </button>
  );
}

interface SavableFileProps {
  reading: RecordReading;
  file: AttachedFile;
  index: number;
}

/** A file that is fetched from the provider and saved by the browser, which never opens it. */
function SavableFile({ reading, file, index }: SavableFileProps) {
  const id = useId();
  const fetchFile = useFetchFile();
  const [isFetching, setIsFetching] = useState(false);
  const [error, setError] = useState<RequestError>();
  const abort = useRef<AbortController>(null);
  // Nobody waits for a file of a closed mail, which costs quota.
  useEffect(() => () => abort.current?.abort(), []);

  async function save(): Promise<void> {
    if (isFetching) return;
    const controller = new AbortController();
    abort.current = controller;
    const { signal } = controller;
    setIsFetching(true);
    setError(undefined);
    const { providerId, entityLabel, account, recordId: record } = reading;
    const call = callOf('attachment', {
      params: { providerId, entityLabel },
      query: { record, account, index },
    });
    const fetched = await fetchFile({ ...call, signal });
    if (signal.aborted) return;
    setIsFetching(false);
    if (fetched.file) saveFile(fetched.file, file.name);
    else setError(fetched.error);
  }

  return (
    <li className="flex min-w-0 flex-col gap-1">
      <SaveButton file={file} busy={isFetching} errorId={error && id} onSave={() => void save()} />
      {error && (
        <div id={id}>
          <SaveFailure error={error} />
        </div>
      )}
    </li>
  );
}

/** Says why files cannot be fetched, and where to go. */
function NoAccess({ access }: Pick<Attachments, 'access'>) {
  const isLost = access === 'reconnect-needed';
  return (
    <NoticeLine tone="info">
      {isLost
        ? 'The account of this mail no longer grants access, so its files cannot be fetched. '
        : 'The account of this mail is disconnected, so its files cannot be fetched. '}
      <Link to={PATHS.providers} className="text-accent-text hover:underline">
        {isLost ? 'Reconnect it under Providers' : 'Connect it again under Providers'}
      </Link>
      .
    </NoticeLine>
  );
}

/** The files of a mail. They stay at the provider until they are saved. */
export function AttachmentList({
  reading,
  attachments,
}: {
  reading: RecordReading;
  attachments: Attachments;
}) {
  const { files, isCutOff, access } = attachments;
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? files : files.slice(0, FIRST_FILES);
  const hidden = files.length - shown.length;
  return (
    <section aria-label="Attachments" className="flex flex-col gap-2">
      <h3 className="text-13 text-ink-3">
        {isCutOff ? `The first ${countOf(files.length, 'attachment')}` : countOf(files.length, 'attachment')}
      </h3>
      <ul className="grid gap-2 sm:grid-cols-2">
        {shown.map((file, index) => {
          // biome-ignore-start lint/suspicious/noArrayIndexKey: a mail may have the same name twice, and never changes
          if (access === 'available')
            return <SavableFile key={index} reading={reading} file={file} index={index} />;
          return (
            <li key={index} className={ROW}>
              <FileLine file={file} />
            </li>
          );
          // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
        })}
      </ul>
      {hidden > 0 && (
        <Button size="sm" className="self-start" onClick={() => setIsWhole(true)}>
          Show {countOf(hidden, 'more file')}
        </Button>
      )}
      {access !== 'available' && <NoAccess access={access} />}
    </section>
  );
}
