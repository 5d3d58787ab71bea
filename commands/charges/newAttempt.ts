import { randomUUID } from 'node:crypto';
import type { SourceMethod } from '../../billing/payments/paymentMethods.ts';
import { boundedPayer, type PresentPayer } from '../../billing/payments/presentPayer.ts';
import type { ShownCharge } from '../../billing/payments/shownCharge.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { enqueue } from '../../db/queries/processes/outbox.ts';
import { Attempt, type AttemptKind, type AttemptOrigin } from '../../db/schema/attempt.ts';
import type { PaymentSource } from '../../db/schema/customer.ts';
import { absolute } from '../../present/kernel/links.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

export interface AttemptTiming {
  /** Milliseconds of real time after which the process of an attempt without an outcome looks it up. */
  lookUpDelay: number;
}

export interface NewAttempt extends AttemptTiming {
  kind: AttemptKind;
  origin: AttemptOrigin;
  /** Identifies the operation: the database refuses a second attempt with it. Absent: a random one. */
  key?: string;
  gateway: string;
  method?: SourceMethod;
  /** For charges and refunds. */
  currency?: string;
  amount?: string;
  /** The part of the amount that is the convenience fee. */
  convenienceFee?: string;
  source?: PaymentSource | null;
  shown?: ShownCharge;
  isFallback?: boolean;
  sealedToken?: string | null;
  vault?: boolean;
  makeDefault?: boolean;
  receiptName?: string | null;
  receiptEmail?: string | null;
  /** The person who waits for the answer; null: nobody does. */
  payer?: PresentPayer | null;
}

/** How a request begins an attempt. A page of a customer has the origin `page`, and a payer who waits. Default: `api`, and nobody. */
export interface AttemptStart extends AttemptTiming {
  origin?: 'api' | 'page';
  /** Identifies the operation: the database refuses a second attempt with it. Absent: a random one. */
  key?: string;
  payer?: PresentPayer | null;
}

/**
 * First of three steps of a gateway operation: writes the attempt, and an outbox row that starts its look-up in case nobody records an
 * outcome.
 */
export async function writeAttempt(em: EntityManager, locked: LockedCustomer, plan: NewAttempt): Promise<Attempt> {
  const accountId = locked.moment.caller.account.id;
  const { now, systemNow } = locked.moment;
  const { attempt: id } = await reserveIds(em, 'attempt');
  const dueAt = new Date(systemNow.getTime() + plan.lookUpDelay);
  enqueue(em, { accountId, topic: 'charge', subjectId: id, dueAt });
  return em.create(Attempt, {
    accountId,
    id,
    kind: plan.kind,
    origin: plan.origin,
    credential: locked.moment.caller.credential,
    gateway: plan.gateway,
    customer: locked.customer,
    clockId: locked.clockId,
    state: 'open',
    key: plan.key ?? randomUUID(),
    method: plan.method ?? null,
    currency: plan.currency ?? null,
    amount: plan.amount ?? null,
    convenienceFee: plan.convenienceFee ?? '0',
    source: plan.source ?? null,
    sealedToken: plan.sealedToken ?? null,
    payer: plan.payer ? boundedPayer(plan.payer, absolute('')) : null,
    sealedChallenge: null,
    shown: plan.shown ?? null,
    isFallback: plan.isFallback ?? false,
    vault: plan.vault ?? false,
    makeDefault: plan.makeDefault ?? false,
    receiptName: plan.receiptName ?? null,
    receiptEmail: plan.receiptEmail ?? null,
    startedAt: systemNow,
    createdAt: now,
    updatedAt: now,
  });
}
