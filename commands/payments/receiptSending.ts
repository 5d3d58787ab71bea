import { whyNoReceipt } from '../../billing/documents/receipt.ts';
import { sum } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { customerIdOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { shownTheme } from '../../db/queries/catalog/themes.ts';
import { hideOutcomes } from '../../db/queries/signUps/sold.ts';
import { newToken } from '../../db/schema/columns.ts';
import type { Email } from '../../db/schema/email.ts';
import { Payment } from '../../db/schema/payment.ts';
import { PaymentApplication } from '../../db/schema/paymentApplication.ts';
import { receiptEmail } from '../../present/emails/receipt.ts';
import { accountMoment, type Caller } from '../kernel/caller.ts';
import { lockCustomer } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { readerIn } from '../mail/reader.ts';
import { recipientsOf } from '../mail/recipients.ts';
import { queueMails, recipientsFor, type Sending, templateFor } from '../mail/sending.ts';
import { paymentEventObject, recordPayment } from './paymentEvents.ts';
import { lockPaymentOfPayer } from './payments.ts';

/** Queues the mails with the receipt of a payment. Refuses when its money has not arrived or there are no recipients. Throws Missing. */
export async function sendReceipt(
  em: EntityManager,
  input: { caller: Caller; id: number; sending: Sending },
  systemNow: Date,
): Promise<Email[]> {
  const { caller, id, sending } = input;
  const accountId = caller.account.id;
  const customerId = await customerIdOf(em, 'payment', { accountId, id });
  const known = customerId === null ? null : await lockCustomer(em, { caller, customerId }, systemNow);
  const payer = known ?? { moment: accountMoment(caller, systemNow), customer: null, clockId: null };
  const payment = await em.findOne(Payment, { accountId, id }, { populate: ['charge'] });
  if (!payment) throw new Missing('Payment', id);
  const withheld = whyNoReceipt(payment, payment.charge?.status ?? null);
  if (withheld !== null) throw new Refusal('state_conflict', withheld);
  const usual = 'payment_receipt_email';
  const template = await templateFor(em, 'payment', { accountId, wanted: sending.template, usual });
  const others = async () => (payer.customer ? recipientsOf(em, payer.customer) : []);
  const recipients = await recipientsFor(sending, others);
  const paid = await em.find(
    PaymentApplication,
    { accountId, payment },
    { orderBy: { id: 'asc' }, populate: ['invoice'] },
  );
  const applied = paid.flatMap(({ invoice, amount }) => (invoice ? [{ number: invoice.number ?? '', amount }] : []));
  const deposits = paid.filter(({ invoice, estimate }) => !invoice && estimate).map(({ amount }) => amount);
  const theme = payer.customer ? null : await shownTheme(em, accountId, null);
  const facts = {
    seller: caller.account,
    customer: payer.customer && readerIn(payer.customer, template.language),
    theme,
    payment,
    charge: payment.charge ?? null,
    applied,
    deposited: sum(deposits, payment.currency),
  };
  const mails = queueMails(em, payer, {
    template,
    recipients,
    bcc: sending.bcc,
    files: [],
    document: { type: 'payment', id: payment.id },
    render: (to) => receiptEmail({ ...facts, subject: sending.subject, message: sending.message, to }),
  });
  await em.write();
  return mails;
}

/** Gives new addresses to the page of a receipt and to its PDF. Those from before lead nowhere from now on, also those in mails. Throws Missing. */
export async function revokeReceiptLinks(
  em: EntityManager,
  key: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Payment> {
  const { payment, payer } = await lockPaymentOfPayer(em, key, systemNow);
  await em.populate(payment, ['charge']);
  const charge = payment.charge ?? null;
  const before = paymentEventObject(payer, payment, charge);
  Object.assign(payment, { token: newToken(), updatedAt: payer.moment.now });
  recordPayment(em, payer, { payment, charge, type: 'payment.updated', before });
  await hideOutcomes(em, { accountId: payment.accountId, type: 'payment', id: payment.id });
  return payment;
}
