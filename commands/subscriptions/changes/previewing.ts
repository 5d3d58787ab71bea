import { randomUUID } from 'node:crypto';
import type { Money } from '../../../billing/money/money.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { createCustomer } from '../../customers/customers.ts';
import type { Caller } from '../../kernel/caller.ts';
import { lockNamedCustomer } from '../../kernel/lockedCustomer.ts';
import { addPreviewedLines, type PreviewedLine } from '../../lineItems/previewedLines.ts';
import { findPlan } from '../steps/plans.ts';
import { createSubscription, type NewSubscription } from './creating.ts';
import { type Foreseen, foresee } from './foresight.ts';

type Dated = 'customerId' | 'startAt' | 'cycles' | 'paused' | 'cancelAtPeriodEnd' | 'metadata';

/** A subscription that would start now. */
export interface SubscriptionPreview extends Omit<NewSubscription, Dated> {
  /** Null: a new customer in the account's country, with the plan's currency. */
  customerId: number | null;
  /** Lines for its first invoice, besides those that the customer has. */
  pendingLines: readonly PreviewedLine[];
}

export interface Previewed {
  recurringTotal: Money;
  mrr: Money;
  /** Its first invoice. */
  first: Foreseen<unknown>['invoices'][number];
}

/**
 * Creates a subscription and its first invoice to show their amounts. Call it in a dry run. Refuses what `createSubscription` and
 * `addPreviewedLines` refuse.
 */
export async function previewSubscription(
  em: EntityManager,
  { customerId: known, pendingLines, ...asked }: SubscriptionPreview,
  systemNow: Date,
): Promise<Previewed> {
  const { caller, planCode: code } = asked;
  const { currency } = await findPlan(em, { accountId: caller.account.id, code });
  const customerId = known ?? (await addCustomer(em, { caller, currency }, systemNow));
  const change = async () => {
    const locked = await lockNamedCustomer(em, { caller, customerId }, systemNow);
    await addPreviewedLines(em, locked, { lines: pendingLines, currency });
    const undated = { startAt: null, cycles: null, paused: false, cancelAtPeriodEnd: false, metadata: {} };
    const created = await createSubscription(em, { ...asked, ...undated, customerId }, systemNow);
    const { recurringTotal, mrr } = created.subscription;
    return { locked: created, shown: { recurringTotal, mrr } };
  };
  const { shown, invoices } = await foresee(em, { caller, of: { customerId }, count: 1, change }, systemNow);
  const [first] = invoices;
  if (!first) throw new Error(`a subscription to plan ${code} bills nothing at its start`);
  return { ...shown, first };
}

/** A customer for the rest of a dry run. Its number is not taken from the series, which would stay locked until the rollback. */
async function addCustomer(
  em: EntityManager,
  { caller, currency }: { caller: Caller; currency: string },
  systemNow: Date,
): Promise<number> {
  const { country = null } = caller.account;
  const fields = { name: 'Preview', autopay: false, autopayDelayDays: -1, type: 'company', metadata: {} } as const;
  const asked = { caller, number: randomUUID(), fields: { ...fields, country, currency } };
  const { id } = await createCustomer(em, asked, systemNow);
  await em.write();
  return id;
}
