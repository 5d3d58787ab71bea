import { exactAmount } from '../../billing/limits.ts';
import { compare, roundMoney } from '../../billing/money/money.ts';
import { defaultTerms, inOrder, type MethodTerms } from '../../billing/payments/offeredMethods.ts';
import { paymentMethods } from '../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { lockPaymentMethods, storePaymentMethod } from '../../db/queries/accounts/accounts.ts';
import type { Account } from '../../db/schema/account.ts';
import { PaymentMethod } from '../../db/schema/paymentMethod.ts';
import type { Caller } from '../kernel/caller.ts';
import { differs } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';

/** All payment methods of an account, in their order. Those that it never changed have the default terms. */
export async function methodsOf(em: EntityManager, account: Account): Promise<MethodTerms[]> {
  const rows = await em.find(PaymentMethod, { accountId: account.id });
  const stored = new Map(rows.map((row) => [row.method, termsOf(row, account)]));
  return inOrder(paymentMethods.map((method) => stored.get(method) ?? defaultTerms(method, account.currency)));
}

/** A payment method of an account. Throws Missing for any other name. */
export async function methodNamed(em: EntityManager, account: Account, name: string): Promise<MethodTerms> {
  const found = (await methodsOf(em, account)).find(({ method }) => method === name);
  if (!found) throw new Missing('Payment method', name);
  return found;
}

/** Undefined: unchanged. */
export interface MethodChange {
  caller: Caller;
  /** Name of the method in the path. */
  name: string;
  enabled?: boolean | undefined;
  order?: number | undefined;
  min?: string | null | undefined;
  max?: string | null | undefined;
  instructions?: string | null | undefined;
  glAccount?: string | null | undefined;
}

/**
 * Changes how pages offer a method. Bounds are amounts in the account's currency. Refuses a minimum above the maximum, and one bound in
 * another currency than the other. Throws Missing.
 */
export async function updatePaymentMethod(
  em: EntityManager,
  { caller, name, ...change }: MethodChange,
  systemNow: Date,
): Promise<MethodTerms> {
  const { account } = caller;
  await lockPaymentMethods(em, account.id);
  const before = await methodNamed(em, account, name);
  const bounds = boundsAfter(before, change, account.currency);
  const { enabled = before.enabled, order = before.order } = change;
  const { instructions = before.instructions, glAccount = before.glAccount } = change;
  const after = { ...before, ...bounds, enabled, order, instructions, glAccount };
  if (!differs(before, after)) return before;
  const { method, min, max, currency } = after;
  const boundsIn = min === null && max === null ? null : currency;
  const offered = { method, enabled, position: order, min, max, currency: boundsIn, instructions };
  const row = { ...offered, accountId: account.id, glAccount };
  await storePaymentMethod(em, row, systemNow);
  return after;
}

type Bounds = Pick<MethodTerms, 'min' | 'max' | 'currency'>;

/** The bounds after a change. Those that it names are amounts in the account's `currency`. */
function boundsAfter(before: Bounds, change: Pick<MethodChange, 'min' | 'max'>, currency: string): Bounds {
  if (change.min === undefined && change.max === undefined) return before;
  const after = { min: boundAfter('min', before, change), max: boundAfter('max', before, change), currency };
  for (const param of ['min', 'max'] as const) {
    const bound = after[param];
    if (bound === null) continue;
    if (change[param] !== undefined) after[param] = exactAmount(bound, currency, param);
    else if (before.currency !== currency)
      throw new Refusal(
        'currency_mismatch',
        `The other bound, ${bound}, is in ${before.currency}: send both in ${currency}`,
        param,
      );
  }
  if (after.min !== null && after.max !== null && compare(after.min, after.max) > 0)
    throw new Refusal(
      'parameter_invalid',
      `Minimum must not be above the maximum: ${after.min} and ${after.max}`,
      change.min === undefined ? 'max' : 'min',
    );
  return after;
}

function boundAfter(name: 'min' | 'max', before: Bounds, change: Pick<MethodChange, 'min' | 'max'>): string | null {
  const asked = change[name];
  return asked === undefined ? before[name] : asked;
}

function termsOf(row: PaymentMethod, account: Account): MethodTerms {
  const { method, enabled, position: order, min = null, max = null, instructions = null, glAccount = null } = row;
  const currency = row.currency ?? account.currency;
  const bound = (amount: string | null) => (amount === null ? null : roundMoney(amount, currency));
  return { method, enabled, order, min: bound(min), max: bound(max), currency, instructions, glAccount };
}
