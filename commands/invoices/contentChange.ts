import { compare } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { type Altered, type ContentChange, changeContent } from '../documents/contentChange.ts';

/** Changes the content and balance of an invoice. The caller posts the change. Returns the first field of the request that altered it. */
export async function changeInvoiceContent(
  em: EntityManager,
  locked: LockedInvoice,
  change: ContentChange,
): Promise<Altered> {
  const { invoice } = locked;
  if (invoice.subscription && change.currency !== undefined && change.currency !== invoice.currency)
    throw new Refusal('state_conflict', 'The currency of an invoice of a subscription cannot be changed', 'currency');
  // If payments are applied or it is voided, the balance stays, and the caller refuses the change.
  const isFullyOwed = compare(invoice.balance, invoice.total) === 0 && !invoice.voidedAt;
  const document = { type: 'invoice' as const, row: invoice, lines: locked.lines, parent: { invoice } };
  const { altered, lines } = await changeContent(em, locked, { document, change });
  locked.lines = lines;
  if (isFullyOwed && compare(invoice.balance, invoice.total) !== 0) invoice.balance = invoice.total;
  return altered;
}
