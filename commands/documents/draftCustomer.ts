import type { DocumentTable } from '../../billing/documents/document.ts';
import { Refusal } from '../../billing/refusal.ts';
import { draftOwnerOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { LockedCreditNote } from '../aggregates/creditNote.ts';
import type { LockedEstimate } from '../aggregates/estimate.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { checkBillable } from '../customers/billable.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LockedCustomer, lockCustomer, lockNamedCustomer, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import type { DocumentChange } from './contentChange.ts';

export interface NewCustomerOfDraft {
  caller: Caller;
  table: DocumentTable;
  /** Id of the draft. */
  id: number;
  /** The new customer; undefined: unchanged. */
  customerId?: number | undefined;
}

/**
 * Locks the new customer of a draft, and before it the current one if that has the lower id. Returns the new one; null: the customer does
 * not change, or the document is not a draft. Call it before the draft is locked. Refuses a new customer that `lockNamedCustomer` refuses.
 */
export async function lockNewCustomer(
  em: EntityManager,
  { caller, table, id, customerId }: NewCustomerOfDraft,
  systemNow: Date,
): Promise<LockedCustomer | null> {
  if (customerId === undefined) return null;
  return retryOnOwnerChange(async () => {
    const owner = await draftOwnerOf(em, table, { accountId: caller.account.id, id });
    if (owner === null || owner === customerId) return null;
    if (owner < customerId) await lockCustomer(em, { caller, customerId: owner }, systemNow);
    return lockNamedCustomer(em, { caller, customerId }, systemNow);
  });
}

const NAMES = { invoice: 'An invoice', estimate: 'An estimate', credit_note: 'A credit note' } as const;

/** Refuses to give an issued document another customer, no number, or the status of a draft. Refuses to issue a voided draft. */
export function refuseImpossibleChange(
  type: keyof typeof NAMES,
  row: Owned,
  change: Pick<DocumentChange, 'customerId' | 'isDraft' | 'number'> & { newCustomer: LockedCustomer | null },
): void {
  refuseOtherCustomer(type, row, change);
  if (change.isDraft === true && row.issuedAt)
    throw new Refusal('state_conflict', `${NAMES[type]} that is issued cannot become a draft again: void it`, 'draft');
  if (change.isDraft === false && !row.issuedAt && row.voidedAt)
    throw new Refusal('state_conflict', 'A voided draft cannot be issued', 'draft');
  if (change.number === null && row.issuedAt) throw new Refusal('parameter_missing', 'Number missing', 'number');
}

/** Refuses another customer for a document that is issued or voided, or that was moved meanwhile. */
function refuseOtherCustomer(
  type: keyof typeof NAMES,
  row: Owned,
  asked: { customerId?: number | undefined; newCustomer: LockedCustomer | null },
): void {
  const { customerId, newCustomer } = asked;
  if (customerId === undefined || customerId === row.customer.id) return;
  const what = NAMES[type];
  const remedy = type === 'estimate' ? 'create another one' : 'issue another one';
  if (row.issuedAt || !newCustomer)
    throw new Refusal(
      'state_conflict',
      `${what} cannot be moved to another customer: void it and ${remedy}`,
      'customer',
    );
  if (row.voidedAt)
    throw new Refusal('state_conflict', `${what} that is voided cannot be moved to another customer`, 'customer');
}

type Owned = Pick<Invoice | Estimate | CreditNote, 'customer' | 'issuedAt' | 'voidedAt'>;

/**
 * A draft invoice with another locked customer. Prices, taxes and shipping address stay. Refuses the invoice of a subscription or an
 * estimate, an inactive customer, and one on another test clock. The caller writes the customer, also that of its notes.
 */
export async function moveInvoice(
  em: EntityManager,
  locked: LockedInvoice,
  newCustomer: LockedCustomer,
): Promise<LockedInvoice> {
  const { invoice } = locked;
  const { accountId, id } = invoice;
  const refuse = (what: string) => {
    throw new Refusal('state_conflict', `An invoice of ${what} cannot be moved to another customer`, 'customer');
  };
  if (invoice.subscription) refuse('a subscription');
  if ((await em.count(Estimate, { accountId, invoice: [accountId, id] })) > 0) refuse('an estimate');
  checkBillable(newCustomer);
  return moved(locked, newCustomer);
}

/** A draft estimate with another locked customer. Refuses an inactive customer, and one on another test clock. */
export function moveEstimate(locked: LockedEstimate, newCustomer: LockedCustomer): LockedEstimate {
  checkBillable(newCustomer);
  return moved(locked, newCustomer);
}

/**
 * A draft credit note with another locked customer. `invoiceId`: the corrected invoice in the request. Refuses to keep an invoice of
 * the former customer, and a customer on another test clock.
 */
export function moveCreditNote(
  locked: LockedCreditNote,
  newCustomer: LockedCustomer,
  invoiceId: number | null | undefined,
): LockedCreditNote {
  const { invoice, customer } = locked.creditNote;
  if (invoice && (invoiceId === undefined || invoiceId === invoice.id)) {
    const whose = `invoice ${invoice.id} of customer ${customer.id}`;
    throw new Refusal(
      'parameter_invalid',
      `The credit note corrects ${whose}: send another invoice or null as well`,
      'customer',
    );
  }
  return moved(locked, newCustomer);
}

function moved<Document extends LockedCustomer>(locked: Document, newCustomer: LockedCustomer): Document {
  const { customer, moment, clockId, advance } = newCustomer;
  if (clockId !== locked.clockId) {
    const message = `Customer ${customer.id} is on another test clock than customer ${locked.customer.id}`;
    throw new Refusal('state_conflict', message, 'customer');
  }
  return { ...locked, customer, moment, clockId, advance };
}
