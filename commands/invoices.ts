import { compare } from '../billing/money.ts';
import { Refusal } from '../billing/refusal.ts';
import type { EntityManager } from '../db/orm.ts';
import { AttemptInvoice } from '../db/schema/attemptInvoice.ts';
import { Item } from '../db/schema/item.ts';
import { checkCreditLimit, lockBillable } from './billable.ts';
import type { Caller } from './caller.ts';
import { forEvent, type InvoiceMoment, lockInvoice, recordInvoice, replanInvoice, settle } from './invoiceMoment.ts';
import { type NewInvoice, type NewLine, numberInvoice, writeInvoice } from './issuing.ts';
import { checkNumberFree } from './numbering.ts';
import { ledger, post } from './posting.ts';
import { followInvoice } from './standing.ts';

export interface RequestedLine extends Omit<NewLine, 'unitCost' | 'name'> {
  name: string | null;
  /** Null: the item's. */
  unitCost: string | null;
}

export interface RequestedInvoice extends Omit<NewInvoice, 'lines' | 'currency' | 'billing'> {
  caller: Caller;
  customerId: number;
  /** Null: the customer's, else the account's. */
  currency: string | null;
  lines: RequestedLine[];
}

/** Issues an invoice by request. Refuses an unknown customer or item, a taken number, foreign currency, a negative total. */
export async function createInvoice(
  em: EntityManager,
  input: RequestedInvoice,
  systemNow: Date,
): Promise<InvoiceMoment> {
  const at = await lockBillable(em, input, systemNow);
  const { account } = input.caller;
  if (input.number) await checkNumberFree(em, 'invoice', { accountId: account.id, number: input.number });
  const currency = input.currency ?? at.customer.currency ?? account.currency;
  const lines = await priceLines(em, account.id, { lines: input.lines, currency });
  const written = await writeInvoice(em, at, { ...input, currency, lines });
  await checkCreditLimit(em, at, currency);
  await numberInvoice(em, at, written);
  return { ...at, ...written };
}

/** Fills lines from the catalog items that they name: one query for all of them. */
async function priceLines(
  em: EntityManager,
  accountId: number,
  asked: { lines: RequestedLine[]; currency: string },
): Promise<NewLine[]> {
  const codes = [...new Set(asked.lines.flatMap((line) => (line.itemCode ? [line.itemCode] : [])))];
  const items = codes.length === 0 ? [] : await em.find(Item, { accountId, code: { $in: codes }, archivedAt: null });
  const byCode = new Map(items.map((item) => [item.code, item]));
  return asked.lines.map((line, index) => {
    const item = line.itemCode ? byCode.get(line.itemCode) : undefined;
    if (line.itemCode && !item)
      throw new Refusal(`Item was not found: ${line.itemCode}`, `items[${index}][catalog_item]`);
    if (item?.currency && item.currency !== asked.currency) {
      throw new Refusal(
        `Item ${item.code} is priced in ${item.currency}, not ${asked.currency}`,
        `items[${index}][catalog_item]`,
      );
    }
    return {
      ...line,
      name: line.name ?? item?.name ?? null,
      description: line.description ?? item?.description ?? null,
      type: line.type ?? item?.type ?? null,
      unitCost: line.unitCost ?? item?.unitCost ?? '0',
      glAccount: item?.glAccount ?? null,
    };
  });
}

/** Voids an invoice. Refuses while something is applied to it or a charge of it is under way. */
export async function voidInvoice(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<InvoiceMoment> {
  const at = await lockInvoice(em, input, systemNow);
  const { invoice, lines, moment } = at;
  const { accountId } = invoice;
  if (invoice.status === 'voided') throw new Refusal('Invoice is already voided');
  if (compare(invoice.balance, invoice.total) !== 0)
    throw new Refusal('Invoice has payments applied and cannot be voided');
  const undecided = await em.count(AttemptInvoice, { accountId, invoice: [accountId, invoice.id], undecided: true });
  if (undecided > 0)
    throw new Refusal('A charge of this invoice is under way; it can be voided once that has an outcome');
  const about = { customerId: at.customer.id, invoiceId: invoice.id, paymentId: null };
  const dates = { documentAt: invoice.date, postedAt: moment.now };
  post(
    em,
    { accountId, currency: invoice.currency, reason: 'void', ...about, ...dates },
    lines.map((line) => ({ debit: ledger.revenue(line.glAccount), credit: ledger.receivable, amount: line.amount })),
  );
  const before = forEvent(at);
  Object.assign(invoice, { voidedAt: moment.now, balance: '0', closed: true, paid: false, nextPaymentAttemptAt: null });
  settle(invoice, moment.now);
  recordInvoice(em, at, { type: 'invoice.updated', before });
  await followInvoice(em, at);
  await replanInvoice(em, at, {});
  return at;
}
