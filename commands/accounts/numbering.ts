import type { DocumentTable } from '../../billing/documents/document.ts';
import { numbered, numberKey } from '../../billing/documents/numbering.ts';
import { Refusal } from '../../billing/refusal.ts';
import { brokenUnique, Overtaken } from '../../db/failure.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  isNumberTaken,
  nextNumber,
  numberDocument,
  numberReceipts,
  takeCustomerNumber as takeNumberOfCustomers,
} from '../../db/queries/accounts/numberSeries.ts';
import { noteGap } from '../../db/queries/documents/numbers.ts';
import type { GapReason, Series } from '../../db/schema/numbering.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { addMissingSeries } from './numberSeries.ts';

/**
 * Assigns the next number of a series to a document whose row is written. Locks the series until the commit, so call it last. Skips numbers
 * that requests supplied for other documents. In a dry run, documents stay without numbers, and the series stays unlocked.
 */
export async function takeDocumentNumber(
  em: EntityManager,
  series: DocumentTable,
  { accountId, id }: Numbered,
): Promise<void> {
  if (em.isDryRun) return;
  const numbering = numberDocument(em, series, { accountId, id });
  if (!(await numbering.catch((error) => throwOvertaken(error, `${series}_number`))))
    throw new Error(`account ${accountId} has no series for ${series}`);
}

/** A concurrent transaction supplied the same number. Overtaken makes the transaction run again, and it then skips the number. */
function throwOvertaken(error: unknown, unique: string): never {
  throw brokenUnique(error) === unique ? new Overtaken('a number was supplied meanwhile') : error;
}

/**
 * Assigns the next numbers of the receipt series to payments whose rows are written, in their order. Locks the series until the commit, so
 * call it last. In a dry run, payments stay without numbers.
 */
export async function takeReceiptNumbers(
  em: EntityManager,
  accountId: number,
  payments: readonly Payment[],
): Promise<void> {
  if (em.isDryRun || payments.length === 0) return;
  const ids = payments.map(({ id }) => id);
  if (await numberReceipts(em, { accountId, ids })) return;
  await addMissingSeries(em, accountId);
  if (!(await numberReceipts(em, { accountId, ids })))
    throw new Error(`account ${accountId} has no series for receipts`);
}

/** The next number of the customer series. Locks the series until the commit. */
export async function takeCustomerNumber(em: EntityManager, accountId: number): Promise<string> {
  const number = await takeNumberOfCustomers(em, accountId);
  if (number === null) throw new Error(`account ${accountId} has no customer series`);
  return number;
}

/** Refuses a supplied number whose `numberKey` another object has. `id`: the object that is to have it; absent: it is new. */
export async function checkNumberFree(
  em: EntityManager,
  table: Series,
  key: { accountId: number; id?: number; number: string },
): Promise<void> {
  const { accountId, id = 0, number } = key;
  if (await isNumberTaken(em, table, { accountId, id, key: numberKey(number) }))
    throw new Refusal('already_taken', `Number is taken: ${number}`, 'number');
}

interface Numbered {
  accountId: number;
  id: number;
  number?: string | null | undefined;
}

/** The requested number of a document; undefined: it keeps its own. Refuses a number that is taken. */
export async function newNumber(
  em: EntityManager,
  document: Numbered,
  { series, number }: { series: DocumentTable; number: string | null | undefined },
): Promise<string | null | undefined> {
  if (number === undefined || number === (document.number ?? null)) return undefined;
  const { accountId, id } = document;
  if (number !== null) await checkNumberFree(em, series, { accountId, id, number });
  return number;
}

/** Gives a document another number that is free; undefined: it keeps its own. */
export async function renumber(
  em: EntityManager,
  document: Numbered,
  { series, number, now }: { series: DocumentTable; number: string | null | undefined; now: Date },
): Promise<void> {
  if (number === undefined) return;
  await releaseNumber(em, document, { series, reason: 'changed', now });
  Object.assign(document, numbered(number));
}

/** Records a gap for a number that a document no longer uses, if the number belongs to a current or former prefix of the series. */
export async function releaseNumber(
  em: EntityManager,
  { accountId, id, number }: Numbered,
  why: { series: Series; reason: GapReason; now: Date },
): Promise<void> {
  if (!number) return;
  const { reason, series, now } = why;
  await noteGap(em, { accountId, series, key: numberKey(number), reason, documentId: id, now });
}

/** The next number of a series, which is not taken and can be taken meanwhile. */
export async function foreseeNumber(em: EntityManager, series: Series, accountId: number): Promise<string> {
  const number = await nextNumber(em, series, accountId);
  if (number === null) throw new Error(`account ${accountId} has no series for ${series}`);
  return number;
}
