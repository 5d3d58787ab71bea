import type { EntityManager } from '../db/orm.ts';
import type { Account } from '../db/schema/account.ts';
import type { DocumentType } from '../db/schema/documentPdf.ts';
import { forEvent, lockInvoice, recordInvoice, settle } from './invoiceMoment.ts';

export interface View {
  account: Account;
  type: DocumentType;
  id: number;
}

/** Notes that the customer has seen a document: the first time counts, and is an event. */
export async function recordView(em: EntityManager, { account, type, id }: View, systemNow: Date): Promise<void> {
  if (type !== 'invoice') return;
  const at = await lockInvoice(em, { caller: { account, userId: -1 }, id }, systemNow);
  const { invoice, moment } = at;
  if (invoice.viewedAt || !invoice.issuedAt) return;
  const before = forEvent(at);
  invoice.viewedAt = moment.now;
  settle(invoice, moment.now);
  recordInvoice(em, at, { type: 'invoice.viewed', before });
}
