import type { Answer, Client, Full } from '../../client/index.ts';
import type { ChoiceWords } from '../../words/dashboard/naming.ts';
import { writeAsSeen } from '../customers/asSeen.ts';
import { PROMISE } from '../forms/options.ts';
import { outcomeOf, type Writer } from '../forms/saving.ts';
import { type Row, textOf } from '../kinds/kind.ts';

/** A task or an invoice as it was read, with its tag. */
export type ReadTask = Pick<Full<Answer<'get', '/tasks/{id}'>>, 'data' | 'etag'>;
export type ReadInvoice = Pick<Full<Answer<'get', '/invoices/{id}'>>, 'data' | 'etag'>;

/** How work ended. */
export type Ended =
  | { kind: 'done' }
  /** Somebody else has done it. `outcome`: in its words; empty: it left none. */
  | { kind: 'taken'; outcome: string };

export const DONE: Ended = { kind: 'done' };

type Change = Readonly<Record<string, unknown>>;

/** What of a change is not written yet. A repeated save leaves out what an earlier one wrote: a follow-up is made once. */
export const missingOf = (change: Change, written: Change): Change =>
  Object.fromEntries(
    Object.entries(change).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(written[name])),
  );

const takenBy = (task: Row): Ended => ({ kind: 'taken', outcome: textOf(task, 'outcome') });

/**
 * Changes an open task. If somebody else has completed it meanwhile, nothing is written; other changes do not matter. `isOwn`: this form has completed
 * it, and changes the words.
 */
export async function changeTask(
  writer: Writer,
  { read, change, isOwn }: { read: ReadTask; change: Readonly<Record<string, unknown>>; isOwn: boolean },
): Promise<Ended> {
  const { id } = read.data;
  const writeTo = (tag: string | null) =>
    writer([id, tag, change])
      .with(tag === null ? {} : { ifMatch: tag })
      .patch('/tasks/{id}', Object.assign({}, change), { id });
  if (isOwn) {
    await writeTo(null);
    return DONE;
  }
  if (read.data.complete) return takenBy({ ...read.data });
  const outcome = await outcomeOf(() => writeTo(read.etag));
  if (outcome.kind === 'saved') return DONE;
  if (outcome.kind !== 'stale') throw outcome.error;
  if (outcome.current.complete === true) return takenBy(outcome.current);
  await writeTo(outcome.etag);
  return DONE;
}

/** A promise: the object with it, as the API takes it. */
export type Promised = Readonly<Record<string, unknown>>;

/** Asks the API whether it takes a promise for an invoice. Throws its refusal. */
export const tryPromise = (api: Client, id: number, promised: Promised): Promise<unknown> =>
  api.patch('/invoices/{id}', Object.assign({}, promised), { id, dry_run: true });

/** Notes a promise, unless somebody else has noted another one since the invoice was read. `told`: that promise in words; null: there is none. */
export const notePromise = (
  writer: Writer,
  {
    read,
    promised,
    field,
    told,
  }: { read: ReadInvoice; promised: Promised; field: string; told(current: Row): string | null },
): Promise<unknown> => {
  const { id } = read.data;
  return writeAsSeen(writer, {
    read,
    change: { id, ...promised },
    field,
    taken: told,
    write: (api) => api.patch('/invoices/{id}', Object.assign({}, promised), { id }),
  });
};

/** The day of a promise in an invoice, or in a body that makes one; null: there is none. */
export function promisedDayIn({ [PROMISE]: promise }: Row): number | null {
  const day = typeof promise === 'object' && promise !== null && 'date' in promise ? promise.date : null;
  return typeof day === 'number' ? day : null;
}

/** A call before its outcome is known. */
const call: { name: string; action: keyof ChoiceWords['taskAction'] } = { name: '', action: 'phone' };

/** Keeps a call for which there was no task. */
export const logCall = (
  writer: Writer,
  { customer, name, change }: { customer: number | null; name: string; change: Readonly<Record<string, unknown>> },
): Promise<unknown> => {
  const body = Object.assign({ ...call, customer: customer ?? 0, name }, change);
  return writer(body).post('/tasks', body);
};
