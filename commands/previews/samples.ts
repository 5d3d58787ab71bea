import { randomUUID } from 'node:crypto';
import type { PreviewedType } from '../../billing/mail/emailTemplates.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Series } from '../../db/schema/numbering.ts';
import { sampleWordsOf } from '../../words/samples.ts';
import { foreseeNumber } from '../accounts/numbering.ts';
import { createCreditNote } from '../creditNotes/creditNotes.ts';
import { createCustomer } from '../customers/customers.ts';
import type { RequestedContent } from '../documents/content.ts';
import { createEstimate } from '../estimates/estimates.ts';
import { createInvoice } from '../invoices/invoices.ts';
import type { Caller } from '../kernel/caller.ts';
import { createPayment } from '../payments/payments.ts';

const MONTH_MILLISECONDS = 30 * 86_400_000;

interface Asked {
  caller: Caller;
  type: PreviewedType;
}

/**
 * Creates an object for a new customer; both exist only during a dry run. Words, currency, country and taxes are the account's. It shows
 * the next number of its series, which stays unlocked. Returns its id.
 */
export async function addSample(em: EntityManager, { caller, type }: Asked, systemNow: Date): Promise<number> {
  const customerId = await createPayer(em, caller, systemNow);
  const content = contentOf(caller, systemNow);
  const common = { caller, customerId, currency: null, content, calculateTaxes: true };
  if (type === 'estimate') {
    const others = { invoiceId: null, shipTo: null, fileIds: [], expiresAt: inAMonth(systemNow) };
    const asked = { ...common, ...others, number: unlikeOthers() };
    return numbered(em, 'estimate', (await createEstimate(em, asked, systemNow)).estimate);
  }
  if (type === 'credit_note') {
    const asked = { ...common, invoiceId: null, number: unlikeOthers() };
    return numbered(em, 'credit_note', (await createCreditNote(em, asked, systemNow)).creditNote);
  }
  const asked = { ...common, paymentTerms: 'NET 30', number: unlikeOthers() };
  const { invoice } = await createInvoice(em, asked, systemNow);
  await numbered(em, 'invoice', invoice);
  if (type === 'payment') return idAfter(em, await pay(em, { caller, customerId, invoice }, systemNow));
  return type === 'customer' ? customerId : invoice.id;
}

async function idAfter(em: EntityManager, { id }: { id: number }): Promise<number> {
  await em.write();
  return id;
}

/** A number whose key no other object has, so that a sample neither waits for one that is being created nor is refused. */
const unlikeOthers = (): string => `sample ${randomUUID()}`;

/** Lets a sample show the next number of its series. Its key stays. Returns its id. */
async function numbered(
  em: EntityManager,
  series: Series,
  sample: { id: number; accountId: number; number?: string | null | undefined },
): Promise<number> {
  sample.number = await foreseeNumber(em, series, sample.accountId);
  return idAfter(em, sample);
}

const inAMonth = (from: Date): Date => new Date(from.getTime() + MONTH_MILLISECONDS);

async function createPayer(em: EntityManager, caller: Caller, systemNow: Date): Promise<number> {
  const { country = null, city = null, language } = caller.account;
  const words = sampleWordsOf(language);
  const terms = { autopay: false, autopayDelayDays: -1, type: 'company', metadata: {} } as const;
  const fields = { ...terms, name: words.customer, address1: words.street, city, country };
  return numbered(em, 'customer', await createCustomer(em, { caller, number: unlikeOthers(), fields }, systemNow));
}

/** 249 for a month of a plan, and 2 x 120 for hours. */
function contentOf({ account }: Caller, systemNow: Date): RequestedContent {
  const words = sampleWordsOf(account.language);
  const period = { periodStartAt: systemNow, periodEndAt: inAMonth(systemNow) };
  return {
    lines: [
      { name: words.plan, unitCost: '249', ...period },
      { name: words.service, description: words.serviceDetail, quantity: '2', unitCost: '120' },
    ],
  };
}

function pay(
  em: EntityManager,
  { caller, customerId, invoice }: { caller: Caller; customerId: number; invoice: { id: number; total: string } },
  systemNow: Date,
) {
  const { id: invoiceId, total: amount } = invoice;
  const known = { date: null, currency: null, reference: null, achSenderId: null, notes: null, metadata: {} };
  const money = { method: 'wire_transfer', source: 'api', amount };
  const applications = [{ type: 'invoice' as const, amount, invoiceId }];
  return createPayment(em, { ...known, ...money, caller, customerId, applications }, systemNow);
}
