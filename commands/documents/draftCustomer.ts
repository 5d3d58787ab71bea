import { Refusal } from '../../billing/refusal.ts';
import { draftOwnerOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { DocumentTable } from '../../db/queries/documents/lines.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { CreditNoteMoment } from '../aggregates/creditNote.ts';
import type { EstimateMoment } from '../aggregates/estimate.ts';
import type { InvoiceMoment } from '../aggregates/invoice.ts';
import { checkBillable } from '../customers/billable.ts';
import type { Caller } from '../kernel/caller.ts';
import { type CustomerMoment, following, lockMoment, lockNamed } from '../kernel/moment.ts';
import type { DocumentChange } from './contentChange.ts';

export interface NextOwner {
  caller: Caller;
  table: DocumentTable;
  /** The draft. */
  id: number;
  /** Whose it is to be; undefined: it stays. */
  customerId?: number | undefined;
}

/**
 * Locks the customer whose a draft is to be, and the one whose it is, the lower id first; null where it stays whose it is, or is no draft.
 * Call it before the draft is locked. Refuses a customer that there is not, or that was merged into another.
 */
export async function lockNextOwner(
  em: EntityManager,
  { caller, table, id, customerId }: NextOwner,
  systemNow: Date,
): Promise<CustomerMoment | null> {
  if (customerId === undefined) return null;
  return following(async () => {
    const owner = await draftOwnerOf(em, table, { accountId: caller.account.id, id });
    if (owner === null || owner === customerId) return null;
    if (owner < customerId) await lockMoment(em, { caller, customerId: owner }, systemNow);
    return lockNamed(em, { caller, customerId }, systemNow);
  });
}

/** Refuses what no document takes: once issued another customer, a draft again, no number; once voided to be issued. */
export function refuseForGood(
  what: 'An invoice' | 'An estimate' | 'A credit note',
  row: Owned,
  change: Pick<DocumentChange, 'customerId' | 'isDraft' | 'number'> & { next: CustomerMoment | null },
): void {
  refuseOwner(what, row, change);
  if (change.isDraft === true && row.issuedAt)
    throw new Refusal(`${what} that is issued does not become a draft again: void it`, 'draft');
  if (change.isDraft === false && !row.issuedAt && row.voidedAt)
    throw new Refusal('A voided draft cannot be issued', 'draft');
  if (change.number === null && row.issuedAt) throw new Refusal('Number missing', 'number');
}

/** Refuses another customer for what was issued, or is another's by now. */
function refuseOwner(
  what: string,
  row: Owned,
  asked: { customerId?: number | undefined; next: CustomerMoment | null },
): void {
  const { customerId, next } = asked;
  if (customerId === undefined || customerId === row.customer.id) return;
  const remedy = what === 'An estimate' ? 'make another' : 'issue another';
  if (row.issuedAt || !next) throw new Refusal(`${what} keeps its customer: void it and ${remedy}`, 'customer');
  if (row.voidedAt) throw new Refusal(`${what} that is voided keeps its customer`, 'customer');
}

type Owned = Pick<Invoice | Estimate | CreditNote, 'customer' | 'issuedAt' | 'voidedAt'>;

/**
 * Gives a draft to another locked customer, with the notes about it. What it is sold for, how it is taxed and where it is sent stay as
 * they are. Refuses a bill of a subscription and the invoice of an estimate, a customer that is not active, and another test clock.
 */
export async function giveInvoice(em: EntityManager, at: InvoiceMoment, next: CustomerMoment): Promise<InvoiceMoment> {
  const { invoice } = at;
  const { accountId, id } = invoice;
  const refuse = (what: string) => {
    throw new Refusal(`An invoice of ${what} keeps its customer`, 'customer');
  };
  if (invoice.subscription) refuse('a subscription');
  if ((await em.count(Estimate, { accountId, invoice: [accountId, id] })) > 0) refuse('an estimate');
  checkBillable(next);
  await em.execute('update note set customer_id = ?, updated_at = ? where account_id = ? and invoice_id = ?', [
    ...[next.customer.id, next.moment.now, accountId, id],
  ]);
  return given(at, next, invoice);
}

/** The same of an estimate. */
export function giveEstimate(at: EstimateMoment, next: CustomerMoment): EstimateMoment {
  checkBillable(next);
  return given(at, next, at.estimate);
}

/** The same of a credit note. `invoiceId`: what a request says of the invoice that it corrects, which is its customer's. */
export function giveCreditNote(
  at: CreditNoteMoment,
  next: CustomerMoment,
  invoiceId: number | null | undefined,
): CreditNoteMoment {
  const { invoice, customer } = at.creditNote;
  if (invoice && (invoiceId === undefined || invoiceId === invoice.id)) {
    const whose = `invoice ${invoice.id}, which is one of customer ${customer.id}`;
    throw new Refusal(`The credit note corrects ${whose}: send another invoice, or none, as well`, 'customer');
  }
  return given(at, next, at.creditNote);
}

function given<At extends CustomerMoment>(at: At, next: CustomerMoment, row: Pick<Owned, 'customer'>): At {
  const { customer, moment, clockId, advance } = next;
  if (clockId !== at.clockId) {
    const message = `Customer ${customer.id} lives on another test clock than customer ${at.customer.id}`;
    throw new Refusal(message, 'customer');
  }
  row.customer = customer;
  return { ...at, customer, moment, clockId, advance };
}
