import { createHash, randomUUID } from 'node:crypto';
import { exactAmount } from '../../billing/limits.ts';
import { compare, type Money, roundMoney } from '../../billing/money/money.ts';
import type { SourceMethod } from '../../billing/payments/paymentMethods.ts';
import type { PresentPayer } from '../../billing/payments/presentPayer.ts';
import { Refusal } from '../../billing/refusal.ts';
import { amountToPay, type TypedField } from '../../billing/signUps/paymentLink.ts';
import { trialAddress } from '../../billing/signUps/terms.ts';
import type { EntityManager } from '../../db/orm.ts';
import { reserveDocument } from '../../db/queries/documents/stored.ts';
import { declinesOfLink, payerOf } from '../../db/queries/signUps/links.ts';
import { lockForm } from '../../db/queries/signUps/starting.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { LinkPayment, type PaymentLink } from '../../db/schema/paymentLink.ts';
import type { SignUpDetails } from '../../db/schema/signUp.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { chargeCustomer } from '../charges/charges.ts';
import type { AttemptTiming } from '../charges/newAttempt.ts';
import { payableWith } from '../charges/payable.ts';
import { createCustomer } from '../customers/customers.ts';
import { buildContent } from '../documents/content.ts';
import { partiesOf } from '../documents/snapshots.ts';
import { numberInvoice, writeInvoice } from '../invoices/issuing.ts';
import { logActOfCustomer } from '../kernel/auditLog.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LockedCustomer, lockCustomer } from '../kernel/lockedCustomer.ts';

/** What a payer typed. */
export interface TypedPayment {
  details: SignUpDetails & { phone: string | null };
  fields: TypedField[];
  /** Decimal text; null: none was typed. */
  amount: Money | null;
  language: string;
}

export interface NewLinkPayment extends TypedPayment, AttemptTiming {
  caller: Caller;
  link: PaymentLink;
  /** Key of the attempt: `signUpKeyOf` the form. */
  key: string;
  /** The total that the page showed, decimal text; null: the payer typed it. */
  shown: string | null;
  method: SourceMethod;
  serviceToken: string;
  payer: PresentPayer;
  userAgent: string | null;
  returnUrl: string | null;
}

/** The invoice of a link, and its lines. */
export type LinkTotals = Pick<LockedInvoice, 'invoice' | 'lines'>;

/** Payments of a link that are declined in an hour, from all addresses, after which it takes none, so that nobody tests stolen cards there. */
const MOST_DECLINES = 30;
const HOUR_MILLISECONDS = 3_600_000;
const LONGEST_USER_AGENT = 500;

/**
 * First of three steps of a payment by a link: in one transaction the customer, found by its email or new, an invoice of what the payer typed, and the
 * attempt to charge it. If that fails, the invoice is voided with the outcome. The same form starts one payment. Refuses an amount that the link does
 * not ask for, a price other than the one that was shown, a token that cannot be used, and too many declines.
 */
export async function startLinkPayment(
  em: EntityManager,
  input: NewLinkPayment,
  systemNow: Date,
): Promise<{ attempt: Attempt; isNew: boolean }> {
  const { link, key, caller, method } = input;
  const { accountId, currency } = link;
  await lockForm(em, key);
  const earlier = await em.findOne(Attempt, { accountId, key });
  if (earlier) return { attempt: earlier, isNew: false };
  const since = new Date(systemNow.getTime() - HOUR_MILLISECONDS);
  if ((await declinesOfLink(em, { accountId, linkId: link.id, since })) >= MOST_DECLINES)
    throw new Refusal('limit_exceeded', 'Too many payments were declined', 'tries');
  const locked = await payingCustomer(em, input, systemNow);
  const issued = await issueInvoice(em, locked, input);
  const { invoice } = issued;
  if (input.shown !== null && compare(input.shown, invoice.total) !== 0)
    throw new Refusal('precondition_failed', 'The price has changed since it was shown', 'seen');
  const amount = roundMoney(invoice.balance, currency);
  const payable = { account: caller.account, customer: null, document: null, amount, currency };
  const offer = await payableWith(em, payable, method);
  if (!offer || offer.obstacle !== null)
    throw new Refusal('parameter_invalid', `Method is not offered: ${method}`, 'method');
  const { payer, lookUpDelay, details, fields, language, returnUrl, userAgent } = input;
  await em.write();
  const attempt = await chargeCustomer(em, locked, {
    origin: 'page',
    key,
    method,
    currency,
    amount,
    applications: [{ type: 'invoice', invoiceId: invoice.id, amount }],
    instrument: { serviceToken: input.serviceToken },
    payer,
    vault: false,
    makeDefault: false,
    receiptName: details.name,
    receiptEmail: details.email,
    keepsCredit: true,
    lookUpDelay,
  });
  em.create(LinkPayment, {
    accountId,
    link,
    customer: locked.customer,
    invoice,
    attempt,
    fields,
    language,
    returnUrl,
    ip: payer.ip,
    userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
    createdAt: systemNow,
  });
  const act = { operation: 'payByLink', object: { type: 'payment_link', id: link.id } };
  logActOfCustomer(em, { accountId, customerId: locked.customer.id, ...act }, systemNow);
  return { attempt, isNew: true };
}

/** The totals of what a link asks for, by the functions that bill. Call it in a dry run. */
export async function quoteLink(
  em: EntityManager,
  input: Pick<NewLinkPayment, 'caller' | 'link' | keyof TypedPayment>,
  systemNow: Date,
): Promise<LockedInvoice> {
  const locked = await payingCustomer(em, input, systemNow, 'preview');
  return issueInvoice(em, locked, input, 'preview');
}

/**
 * The locked customer: the active one with this email, or a new one. One on credit hold or with a credit limit stays apart, because its terms would
 * decide about the payment.
 */
async function payingCustomer(
  em: EntityManager,
  { caller, link, details, language }: Pick<NewLinkPayment, 'caller' | 'link' | 'details' | 'language'>,
  systemNow: Date,
  how: 'real' | 'preview' = 'real',
): Promise<LockedCustomer> {
  const { accountId, currency } = link;
  const address = trialAddress(details.email);
  const found = how === 'real' ? await payerOf(em, { accountId, address }) : null;
  if (found !== null) return lockCustomer(em, { caller, customerId: found }, systemNow);
  const { phone, taxId, ...known } = details;
  const fields = { ...known, phone, taxId, currency, language, metadata: {}, chase: false };
  const type = taxId === null ? ('person' as const) : ('company' as const);
  const { id } = await createCustomer(
    em,
    {
      caller,
      number: how === 'preview' ? randomUUID() : null,
      fields: { ...fields, type, autopay: false, autopayDelayDays: -1 },
    },
    systemNow,
  );
  await em.write();
  return lockCustomer(em, { caller, customerId: id }, systemNow);
}

/** Issues the invoice: it names the payer as typed, and has none of the customer's credit, discounts, tax status and terms. */
async function issueInvoice(
  em: EntityManager,
  locked: LockedCustomer,
  { link, caller, details, fields, amount, language }: Pick<NewLinkPayment, 'caller' | 'link' | keyof TypedPayment>,
  how: 'real' | 'preview' = 'real',
): Promise<LockedInvoice> {
  const { currency, accountId, taxCodes: taxes } = link;
  const typed = amount === null ? null : exactAmount(amount, currency, 'amount');
  const asked = roundMoney(amountToPay(amounts(link), typed), currency);
  const { account } = caller;
  const party = { ...details, id: locked.customer.id, number: '', attentionTo: null, language, taxable: true };
  const parties = partiesOf({ account, customer: party, billed: party, theme: locked.customer.shownTheme ?? null });
  const hash = createHash('sha256').update(JSON.stringify(parties)).digest('hex');
  const place = { accountId, country: null, state: null, currency, taxRateIds: [] };
  const snapshot = { ...parties, accountId, hash };
  const of = { table: 'invoice' as const, lines: 1, place, snapshot };
  const reserved = await reserveDocument(em, of, locked.moment.now);
  const content = await buildContent(em, locked, {
    requested: {
      lines: [{ name: link.name, description: link.description ?? null, quantity: '1', unitCost: asked }],
      discounts: [],
      taxes: taxes.map((code) => ({ id: null, code, amount: null })),
    },
    currency,
    before: null,
    untaxed: taxes.length === 0 ? 'The payment link has no taxes' : null,
    redeemer: { type: 'invoice', id: reserved.id },
    automaticRates: [],
  });
  const prepared = { id: reserved.id, lineIds: reserved.lines, snapshotId: reserved.snapshot, automaticRates: [] };
  const notes = fields.map(({ label, value }) => `${label}: ${value}`).join('\n');
  const written = await writeInvoice(em, locked, {
    currency,
    name: link.name,
    autopay: false,
    paymentTerms: 'Due on receipt',
    notes: notes === '' ? null : notes,
    origin: 'payment_link',
    prepared,
    content,
  });
  if (how === 'real') await numberInvoice(em, locked, written);
  return { ...locked, ...written };
}

const amounts = ({ amount = null, minAmount = null, maxAmount = null }: PaymentLink) => ({
  amount,
  minAmount,
  maxAmount,
});
