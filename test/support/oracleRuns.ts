import type { Answer } from './api.ts';
import { productChoices } from './oracleChoices.ts';
import type { OracleShop } from './oracleShop.ts';
import { oracleInvoice, oracleState, pendingLines, productInvoice, productLine, productState } from './oracleShown.ts';
import { openSubscription } from './subscriptionOracle.ts';
import { applyChange } from './subscriptionOracleChange.ts';
import { runUntil } from './subscriptionOracleProcess.ts';
import { Refused } from './subscriptionOracleRefused.ts';
import type { Change } from './subscriptionOracleRequest.ts';
import { type Case, type Features, sampleCases } from './subscriptionSpace.ts';

// Runs a subscription of the oracle through the API, and compares what both bill.

/** Subscriptions that the API can sell. Some requests are to be refused. */
export const productSpace: Partial<Features> = { pausesInArrears: true, refusals: true };

/** The same cases for the same seed. */
export function productCases(of: { seed: number; count: number }, features: Partial<Features> = {}): Case[] {
  return sampleCases(of, Object.assign({}, productSpace, features), productChoices);
}

/** Everything that a run shows of one side. */
export interface Shown {
  /** After the creation and each change, and at the end. `refused`: the field of a change that was refused. */
  states: Record<string, unknown>[];
  invoices: object[];
  pending: string[];
}

/** Runs a case through the API and the oracle. Both sides are equal if the product is right. */
export async function compareRun(
  shop: OracleShop,
  { sold, changes, until }: Case,
  how: 'onTime' | 'late',
): Promise<{ product: Shown; oracle: Shown }> {
  const one = await shop.sell(sold);
  const state = openSubscription(sold, productChoices);
  const states = { product: [await productState(one, state)], oracle: [oracleState(state)] };
  for (const change of changes) {
    runUntil(state, change.at);
    await one.advanceTo(change.at, how);
    const answer = await one.change(change, state);
    const refusal = refusalOf(() => applyChange(state, change));
    await one.advanceTo(change.at, how);
    const answered = answeredWith(answer, refusal);
    states.product.push({ change: textOf(change), refused: answered, ...(await productState(one, state)) });
    states.oracle.push({ change: textOf(change), refused: refusal, ...oracleState(state) });
    if (refusal !== answered) break;
  }
  runUntil(state, until);
  await one.advanceTo(until, how);
  states.product.push(await productState(one, state));
  states.oracle.push(oracleState(state));
  const { currency } = sold;
  const product = {
    states: states.product,
    invoices: (await one.invoices()).map(productInvoice),
    pending: (await one.pendingLines()).map(productLine).toSorted(),
  };
  const oracle = {
    states: states.oracle,
    invoices: state.invoices.map((invoice) => oracleInvoice(invoice, currency)),
    pending: pendingLines(state).toSorted(),
  };
  return { product, oracle };
}

const textOf = (change: Change) => JSON.stringify(change);

/** Runs a request through the oracle. Returns the field that it refuses; null: none. */
export function refusalOf(request: () => void): string | null {
  try {
    request();
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.param ?? NO_FIELD;
    throw error;
  }
}

const NO_FIELD = 'the whole request';

/** The field that an answer refuses; null: none. A difference shows the message. */
export function answeredWith({ status, body }: Answer, expected: string | null): string | null {
  if (status < 400) return null;
  const field = body.param ?? NO_FIELD;
  return status === 400 && field === expected ? field : `${status} ${field}: ${body.message}`;
}
