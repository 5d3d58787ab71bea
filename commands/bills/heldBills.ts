import { amountText } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { takeDocumentNumber } from '../accounts/numbering.ts';
import { invoiceEventObject, type LockedInvoice, recordInvoice, replanInvoices } from '../aggregates/invoice.ts';
import { holdReasonOf } from '../customers/billable.ts';
import { issueDraft } from '../invoices/drafts.ts';
import { queueIssueMail } from '../invoices/issueMail.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { type StepOutcome, tellClock } from '../kernel/stepOutcome.ts';
import { NOTHING_PLANNED, wakeProcess } from '../kernel/waking.ts';
import { reportToTeam } from '../mail/problemMails.ts';
import { writeTask } from '../tasks/tasks.ts';
import type { WrittenBill } from './bills.ts';

const STEP = 'issue';

/**
 * Records a held bill, and those among its further invoices: a task to review each, and a problem, which retries the issue with a back-off.
 */
export async function holdBill(em: EntityManager, locked: LockedCustomer, bill: WrittenBill): Promise<void> {
  const { invoice, holdReason, more } = bill;
  for (const other of more) await holdBill(em, locked, other);
  if (holdReason === null) return;
  const { accountId, id, total, currency } = invoice;
  const what = `${invoice.name} of ${amountText(total, currency)}`;
  await writeTask(em, locked, {
    name: `Not issued: ${what}. ${holdReason}`.slice(0, 255),
    action: 'review',
    heldInvoiceId: id,
  });
  await em.write(); // `reportToTeam` reads amount and clock from the database
  const { systemNow } = locked.moment;
  const report = { accountId, process: 'invoice' as const, id, step: STEP, message: holdReason };
  const tryAt = new Date(await reportToTeam(em, report, systemNow));
  wakeProcess(em, locked.moment, { process: 'invoice', subjectId: id, clockId: null, at: tryAt });
}

/** Issues a held bill. Refuses with the reason while it must still be held. */
export async function issueHeldBill(em: EntityManager, locked: LockedInvoice): Promise<StepOutcome> {
  const { invoice, moment } = locked;
  const { id, currency, total } = invoice;
  const holdReason = await holdReasonOf(em, locked, { currency, total });
  if (holdReason !== null) throw new Refusal('state_conflict', holdReason);
  const before = invoiceEventObject(locked);
  const mail = await issueDraft(em, locked);
  await em.write();
  const [planned = NOTHING_PLANNED] = await replanInvoices(em, [locked], { inside: true });
  if (!invoice.number) await takeDocumentNumber(em, 'invoice', invoice);
  await queueIssueMail(em, locked, { ...locked, mail });
  recordInvoice(em, locked, { type: invoice.paid ? 'invoice.paid' : 'invoice.updated', before });
  const did = `issued ${invoice.number} for ${amountText(total, currency)}: nothing holds it any more`;
  tellClock(em, { ...locked, moment }, { type: 'invoice', id, did });
  return { did, ...planned, call: null };
}
