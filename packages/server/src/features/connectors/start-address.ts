import { draftDocument } from '@datadeck/connectors/declarative/builder';
import type { ConnectorTrialResult, DocumentStart, StartedDocument } from '@datadeck/contract';
import { isRecord } from '@datadeck/contract/table-columns';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { type RequestedTrial, tryAllowed } from './try-draft.ts';

type AddressStart = Extract<DocumentStart, { from: 'address' }>;

/** Returns the members of a document that send the secret as the administrator said, or none without one. */
function accessOf({ secret, header }: AddressStart): Record<string, unknown> {
  if (secret === '') return { authentication: { kind: 'none' }, connect: {} };
  const connect = { secret: { name: 'token', label: header === '' ? 'API token' : 'API key' } };
  return header === ''
    ? { authentication: { kind: 'bearer' }, connect }
    : { authentication: { kind: 'api-key', in: 'header', name: header.toLowerCase() }, connect };
}

/** Returns the error for a trial without a successful answer, at the field to correct. */
function refusalOf({ answer, problems }: ConnectorTrialResult): AppError {
  const isRefused = answer?.status === 401 || answer?.status === 403;
  const status = answer === null ? '' : `The service answered with status ${answer.status}. `;
  const [problem] = problems;
  const field = isRefused ? 'secret' : problem?.path.startsWith('authentication') ? 'header' : 'address';
  return wrong(field, `${status}${problem?.message ?? ''}`.trim() || 'The address could not be requested.');
}

function wrong(field: keyof AddressStart, message: string): AppError {
  return new AppError('validation-failed', message, { fields: { [field]: message } });
}

/**
 * Writes a document from an address: requests it once like a trial, and continues with the shape of the answer like an example.
 * Neither the secret nor a value of the answer is kept.
 * @throws AppError validation-failed if no successful answer came
 */
export async function startAddress(
  context: Pick<Context, 'db'>,
  start: AddressStart,
  requester: Omit<RequestedTrial, 'trial'>,
): Promise<StartedDocument> {
  const { key, title, address } = start;
  const example = { from: 'example' as const, key, title, address };
  const { document: empty, remarks } = await draftDocument({ ...example, answer: '' });
  const draft = parsed(empty);
  const url = URL.parse(address) ?? URL.parse(`https://${address}`);
  // What cannot be read becomes an address of an example, which is nobody's to call.
  if (!url || URL.parse(String(draft.baseUrl))?.host !== url.host)
    throw wrong('address', 'This is no address of an API: write one like https://api.example.com/items.');
  const { name = '' } = isRecord(draft.authentication) ? draft.authentication : {};
  // The secret may be a parameter of the address, which the document then sends.
  const parameter = (name !== '' && url.searchParams.get(String(name))) || '';
  const access = parameter === '' ? accessOf(start) : {};
  const entity =
    Array.isArray(draft.entities) && isRecord(draft.entities[0]) ? String(draft.entities[0].id) : '';
  const { result, recording } = await tryAllowed(context, key, {
    ...requester,
    keepsNames: true,
    trial: {
      document: JSON.stringify({ ...draft, ...access }),
      entity,
      config: {},
      settings: {},
      secret: parameter || start.secret,
    },
  });
  if (!result.answer || result.answer.status >= 300) throw refusalOf(result);
  const started = recording
    ? await draftDocument({ ...example, answer: recording.text })
    : { document: empty, remarks };
  const document = JSON.stringify({ ...parsed(started.document), ...access }, null, 2);
  // How requests sign in is no guess here.
  const guesses = started.remarks.filter(
    (remark) => !remark.startsWith('Requests are authenticated by a bearer'),
  );
  if (recording) return { document, remarks: guesses };
  const format = `The answer is not JSON, but ${result.answer.type || 'of no known type'}: choose its format.`;
  return { document, remarks: [format, ...guesses] };
}

function parsed(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  return isRecord(value) ? value : {};
}
