import { taxesBack, type WriteOffKind } from '../../billing/collection/writeOff.ts';
import { add, isPositive, type Money, subtract } from '../../billing/money/money.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { WriteOff } from '../../db/schema/writeOff.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { ledger, type Posting, post } from '../kernel/posting.ts';

/** A locked invoice with its lines and its locked customer. */
export type Owed = LockedCustomer & { invoice: Invoice; lines: readonly Pick<Line, 'taxes'>[] };

/** Reads what is written off of locked invoices. Runs no statement if nothing is. */
export async function loadWriteOffs(em: EntityManager, invoices: readonly Invoice[]): Promise<void> {
  const given = invoices.filter(({ writtenOff, writtenOffAt }) => isPositive(writtenOff) || writtenOffAt);
  const [first] = given;
  if (!first) return;
  const { accountId } = first;
  const invoice = { id: { $in: given.map(({ id }) => id) } };
  const rows = await em.find(WriteOff, { accountId, invoice, reversedAt: null }, { orderBy: { id: 'asc' } });
  for (const one of given) one.writeOffs = rows.filter((row) => row.invoice.id === one.id);
}

/** What is written off of a locked invoice and was not taken back, oldest first. */
export function writeOffsOf({ writeOffs = [] }: Invoice): WriteOff[] {
  return writeOffs.flatMap((one) => (one instanceof WriteOff ? [one] : []));
}

/** An amount to write off. `payment`: the one that came up short. */
export interface NewWriteOff {
  amount: Money;
  kind: WriteOffKind;
  reason?: string | null;
  payment?: Pick<Payment, 'id'>;
}

/** Writes an amount of an invoice off, with its ledger entries. The caller lowers the balance or closes the invoice. */
export function addWriteOff(
  em: EntityManager,
  locked: Owed,
  { amount, kind, reason = null, payment }: NewWriteOff,
): void {
  const { invoice, moment } = locked;
  if (!isPositive(amount)) return;
  const { accountId, currency, total } = invoice;
  const { account } = moment.caller;
  const earlier = writeOffsOf(invoice);
  const isBack = setting(account, 'bad_debt_tax') === 'take_back';
  const taxes = isBack ? taxesBack(amount, { total, taxes: taxesOf(locked), earlier, currency }) : {};
  const row = em.create(WriteOff, {
    accountId,
    invoice,
    kind,
    currency,
    amount,
    ledgerAccount: ledger.badDebt(setting(account, 'bad_debt_account')),
    taxes,
    paymentId: payment?.id ?? null,
    reason,
    reversedAt: null,
    createdAt: moment.now,
    updatedAt: moment.now,
  });
  invoice.writeOffs = [...earlier, row];
  if (kind !== 'whole') Object.assign(invoice, { writtenOff: add(invoice.writtenOff, amount), writeOffReason: reason });
  postRow(em, locked, { row, reason: 'write_off' });
}

/** Takes a write-off back, with its ledger entries. The caller raises the balance or reopens the invoice. */
export function reverseRow(
  em: EntityManager,
  locked: Owed,
  { row, reason }: { row: WriteOff; reason: 'reopen' | 'void' },
): void {
  const { invoice, moment } = locked;
  invoice.writeOffs = writeOffsOf(invoice).filter((one) => one !== row);
  Object.assign(row, { reversedAt: moment.now, updatedAt: moment.now });
  if (row.kind !== 'whole') invoice.writtenOff = subtract(invoice.writtenOff, row.amount);
  const last = writeOffsOf(invoice).findLast(({ kind }) => kind !== 'whole');
  invoice.writeOffReason = last?.reason ?? null;
  postRow(em, locked, { row, reason });
}

/** The taxes of an invoice by ledger account. */
function taxesOf({ invoice, lines }: Owed): Record<string, Money> {
  const found: Record<string, Money> = {};
  for (const { taxRate, amount } of [...invoice.taxes, ...lines.flatMap(({ taxes }) => [...taxes])]) {
    const account = ledger.taxPayable(taxRate?.id);
    found[account] = add(found[account] ?? '0', amount);
  }
  return found;
}

function postRow(em: EntityManager, locked: Owed, { row, reason }: { row: WriteOff; reason: Posting['reason'] }): void {
  const { amount, ledgerAccount, taxes } = row;
  const back = Object.entries(taxes);
  const rest = subtract(amount, add('0', ...back.map(([, tax]) => tax)));
  for (const [account, part] of [[ledgerAccount, rest] as const, ...back])
    postWrittenOff(em, locked, { account, amount: part, reason });
}

/** Posts an amount between the receivable and an account of bad debt or tax. */
export function postWrittenOff(
  em: EntityManager,
  { invoice, moment, customer }: Pick<Owed, 'invoice' | 'moment' | 'customer'>,
  { account, amount, reason }: { account: string; amount: Money; reason: Posting['reason'] },
): void {
  if (!isPositive(amount)) return;
  const { accountId, currency, id: invoiceId, date: documentAt } = invoice;
  const about = { customerId: customer.id, invoiceId, paymentId: null };
  const [debit, credit] = reason === 'write_off' ? [account, ledger.receivable] : [ledger.receivable, account];
  post(em, { accountId, currency, reason, ...about, documentAt, postedAt: moment.now }, [{ debit, credit, amount }]);
}
