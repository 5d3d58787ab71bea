import type { DocumentTable } from '../../billing/documentTypes.ts';
import type { PreviewedType } from '../../billing/emailTemplates.ts';
import { Refusal } from '../../billing/refusal.ts';
import { brokenUnique, Overtaken } from '../../db/failure.ts';
import type { EntityManager } from '../../db/orm.ts';
import { sampleWordsOf } from '../../present/printed/sampleWords.ts';
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
 * Creates an object of a new customer, for the rest of a dry run. Its words, currency, country and taxes are those of the account. Its number
 * is the next one, whose series stays unlocked. Returns its id.
 */
export async function addSample(em: EntityManager, asked: Asked, systemNow: Date): Promise<number> {
  try {
    return await createSample(em, asked, systemNow);
  } catch (error) {
    throw isNumberTaken(error) ? new Overtaken('the number of a sample was taken meanwhile') : error;
  }
}

/** Whether a request took the number between two statements of the sample. */
function isNumberTaken(error: unknown): boolean {
  return brokenUnique(error) !== null || (error instanceof Refusal && error.param === 'number');
}

async function createSample(em: EntityManager, { caller, type }: Asked, systemNow: Date): Promise<number> {
  const customerId = await createPayer(em, caller, systemNow);
  const content = contentOf(caller, systemNow);
  const common = { caller, customerId, currency: null, content, calculateTaxes: true };
  const next = (series: DocumentTable) => foreseeNumber(em, series, caller.account.id);
  if (type === 'estimate') {
    const others = { invoiceId: null, shipTo: null, fileIds: [], expiresAt: inAMonth(systemNow) };
    const number = await next('estimate');
    return idAfter(em, (await createEstimate(em, { ...common, ...others, number }, systemNow)).estimate);
  }
  if (type === 'credit_note') {
    const asked = { ...common, invoiceId: null, number: await next('credit_note') };
    return idAfter(em, (await createCreditNote(em, asked, systemNow)).creditNote);
  }
  const asked = { ...common, paymentTerms: 'NET 30', number: await next('invoice') };
  const { invoice } = await createInvoice(em, asked, systemNow);
  await em.write();
  if (type === 'payment') return idAfter(em, await pay(em, { caller, customerId, invoice }, systemNow));
  return type === 'customer' ? customerId : invoice.id;
}

async function idAfter(em: EntityManager, { id }: { id: number }): Promise<number> {
  await em.write();
  return id;
}

const inAMonth = (from: Date): Date => new Date(from.getTime() + MONTH_MILLISECONDS);

async function createPayer(em: EntityManager, caller: Caller, systemNow: Date): Promise<number> {
  const { id: accountId, country = null, city = null, language } = caller.account;
  const words = sampleWordsOf(language);
  const terms = { autopay: false, autopayDelayDays: -1, type: 'company', metadata: {} } as const;
  const fields = { ...terms, name: words.customer, address1: words.street, city, country };
  const number = await foreseeNumber(em, 'customer', accountId);
  return idAfter(em, await createCustomer(em, { caller, number, fields }, systemNow));
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
