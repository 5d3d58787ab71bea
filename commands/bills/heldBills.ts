import { amountText } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { takeDocumentNumber } from '../accounts/numbering.ts';
import { invoiceEventObject, type LockedInvoice, recordInvoice, replanInvoice } from '../aggregates/invoice.ts';
import { holdReasonOf } from '../customers/billable.ts';
import { issueDraft } from '../invoices/drafts.ts';
import { queueIssueMail } from '../invoices/issueMail.ts';
import { tellClock } from '../kernel/clockSteps.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import type { StepOutcome } from '../kernel/stepOutcome.ts';
import { wakeProcess } from '../kernel/waking.ts';
import { reportToTeam } from '../mail/problemMails.ts';
import { writeTask } from '../tasks/tasks.ts';
import type { WrittenBill } from './bills.ts';

const STEP = 'issue';

/**
 * Records a held bill, and those among its further invoices: a task to review each, and a problem, which retries the issue with a back-off.
 */
export async function holdBill(em: EntityManager, at: LockedCustomer, bill: WrittenBill): Promise<void> {
  const { invoice, holdReason, more } = bill;
  for (const other of more) await holdBill(em, at, other);
  if (holdReason === null) return;
  const { accountId, id, total, currency } = invoice;
  const what = `${invoice.name} of ${amountText(total, currency)}`;
  await writeTask(em, at, {
    name: `Not issued: ${what}. ${holdReason}`.slice(0, 255),
    action: 'review',
    heldInvoiceId: id,
  });
  await em.write(); // `reportToTeam` reads amount and clock from the database
  const { systemNow } = at.moment;
  const report = { accountId, process: 'invoice' as const, id, step: STEP, message: holdReason };
  const tryAt = new Date(await reportToTeam(em, report, systemNow));
  wakeProcess(em, at.moment, { process: 'invoice', subjectId: id, clockId: null, at: tryAt });
}

/** Issues a held bill. Refuses with the reason while it must still be held. */
export async function issueHeldBill(em: EntityManager, at: LockedInvoice): Promise<StepOutcome> {
  const { invoice, moment } = at;
  const { id, currency, total } = invoice;
  const holdReason = await holdReasonOf(em, at, { currency, total });
  if (holdReason !== null) throw new Refusal('state_conflict', holdReason);
  const before = invoiceEventObject(at);
  const mail = await issueDraft(em, at);
  await em.write();
  const planned = await replanInvoice(em, at, { inside: true });
  if (!invoice.number) await takeDocumentNumber(em, 'invoice', invoice);
  await queueIssueMail(em, at, { ...at, mail });
  recordInvoice(em, at, { type: invoice.paid ? 'invoice.paid' : 'invoice.updated', before });
  const did = `issued ${invoice.number} for ${amountText(total, currency)}: nothing holds it any more`;
  tellClock(em, { ...at, moment }, { type: 'invoice', id, did });
  return { did, ...planned, call: null };
}
