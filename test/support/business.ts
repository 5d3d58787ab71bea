import { createPlan as createPlanCommand } from '../../commands/catalog/plans.ts';
import { runAttempt } from '../../commands/charges/attempts.ts';
import { startVault } from '../../commands/charges/paymentSources.ts';
import { createCustomer } from '../../commands/customers/customers.ts';
import { CURRENT_VERSION, systemCaller } from '../../commands/kernel/caller.ts';
import { createSubscription } from '../../commands/subscriptions/changes/creating.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Webhook } from '../../db/schema/webhook.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Product } from './product.ts';

/** A card of the test gateway that pays. */
export const GOOD_CARD = 'tok_4242424242424242';

const noDetails = {
  attentionTo: null,
  address1: null,
  address2: null,
  city: null,
  state: null,
  postalCode: null,
  country: null,
  language: null,
  currency: null,
  phone: null,
  taxId: null,
  notes: null,
  paymentTerms: null,
};

/** Runs a command in its own transaction. */
function run<T>(product: Product, work: (em: EntityManager, at: { now: Date }) => Promise<T>): Promise<T> {
  return inTransaction(product.deps.em, (em) => work(em, { now: product.deps.systemNow() }));
}

/** Creates a customer on AutoPay with an email address and a stored card as default source. Returns its id. */
export async function createPayer(product: Product, name: string, token: string = GOOD_CARD): Promise<number> {
  const { accountId, deps } = product;
  const fields = {
    ...noDetails,
    name,
    email: `${name}@example.com`,
    autopay: true,
    autopayDelayDays: -1,
    type: 'company' as const,
    metadata: {},
  };
  const customerId = await run(product, async (em, { now }) => {
    const customer = await createCustomer(em, { caller: await systemCaller(em, accountId), number: null, fields }, now);
    return customer.id;
  });
  const attempt = await run(product, async (em, { now }) => {
    const source = { method: 'credit_card' as const, sealedToken: deps.cipher.encrypt(token), isTestToken: true };
    const caller = await systemCaller(em, accountId);
    return startVault(em, { caller, customerId, ...source, makeDefault: true, lookUpDelay: deps.lookUpDelay }, now);
  });
  await runAttempt(deps, { accountId, id: attempt.id });
  return customerId;
}

/** Creates a monthly plan at 10.00 with this id. */
export async function createPlan(product: Product, code: string): Promise<void> {
  const fields = {
    name: code,
    currency: 'usd',
    quantityType: 'constant' as const,
    interval: 'month' as const,
    intervalCount: 1,
    metadata: {},
  };
  await run(product, async (em, { now }) => {
    await createPlanCommand(
      em,
      {
        caller: await systemCaller(em, product.accountId),
        code,
        itemCode: null,
        fields,
        price: { pricingMode: 'per_unit', amount: '10' },
      },
      now,
    );
  });
}

/**
 * Subscribes a customer to a plan from `startAt`, by default in one second, so that the process writes the first bill. Runs the statement
 * `also` in the same transaction. Returns the subscription's id.
 */
export function subscribe(
  product: Product,
  customerId: number,
  plan: { code: string; startAt?: Date; also?: string },
): Promise<number> {
  return run(product, async (em, { now }) => {
    const caller = await systemCaller(em, product.accountId);
    const wanted = {
      quantity: 1,
      startAt: plan.startAt ?? new Date(now.getTime() + 1_000),
      cycles: null,
      paused: false,
      cancelAtPeriodEnd: false,
      metadata: {},
    };
    const { subscription } = await createSubscription(em, { caller, customerId, planCode: plan.code, ...wanted }, now);
    await em.write();
    if (plan.also) await em.execute(plan.also);
    return subscription.id;
  });
}

/** Creates an endpoint for all events, or for the given types. */
export async function createEndpoint(
  product: Product,
  url: string,
  events: string[] | null = null,
): Promise<{ id: number; secret: string }> {
  const { accountId, deps } = product;
  const secret = deps.webhookSigner.newSecret();
  const id = await run(product, async (em, { now: at }) => {
    const sealedSecret = deps.cipher.encrypt(secret);
    const times = { createdAt: at, updatedAt: at };
    const row = { accountId, url, events, enabled: true, apiVersion: CURRENT_VERSION, sealedSecret, ...times };
    const webhook = em.create(Webhook, row);
    await em.write();
    return webhook.id;
  });
  return { id, secret };
}
