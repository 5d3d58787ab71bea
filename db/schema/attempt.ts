import { defineEntity, p } from '@mikro-orm/core';
import type { DeclineKind } from '../../billing/payments/declines.ts';
import type { SourceMethod } from '../../billing/payments/paymentMethods.ts';
import type { PresentPayer } from '../../billing/payments/presentPayer.ts';
import type { ShownCharge } from '../../billing/payments/shownCharge.ts';
import type { Interruption } from '../../billing/wait.ts';
import { policiesThrough } from '../tenant.ts';
import { amount, oneOf, quoted, tenantKey, timestamps } from './columns.ts';
import { Customer, PaymentSource } from './customer.ts';
import type { UsedCredential } from './event.ts';
import { partialIndex } from './indexes.ts';

export const attemptKinds = ['charge', 'vault', 'verify_source', 'delete_source', 'refund'] as const;
export type AttemptKind = (typeof attemptKinds)[number];
/**
 * open: not sent yet, or being sent; waiting: the payer has to authenticate first; unknown: sent, without an answer in time; pending: the
 * gateway has accepted it and will report the outcome; abandoned: it never happened and never will.
 */
export const attemptStates = ['open', 'waiting', 'unknown', 'pending', 'succeeded', 'failed', 'abandoned'] as const;
export type AttemptState = (typeof attemptStates)[number];

/**
 * The cause of the attempt. `autopay`: AutoPay, which collects an invoice; `pay`: a request to pay an invoice; `page`: a page of a customer;
 * `api`: any other request.
 */
export type AttemptOrigin = 'autopay' | 'pay' | 'page' | 'api';

/** Whether it charges the balance of one invoice, which it was begun for. */
export const isOfInvoice = (origin: AttemptOrigin): boolean => origin === 'autopay' || origin === 'pay';

const UNANSWERED: AttemptState[] = ['open', 'unknown'];
export const UNDECIDED: AttemptState[] = [...UNANSWERED, 'pending', 'waiting'];

const CARRIED_OUT: AttemptState[] = ['succeeded', 'failed', 'pending'];

/** Whether the gateway took the operation, and carried it out or declined it. */
export const isCarriedOut = ({ state }: { state: AttemptState }): boolean => CARRIED_OUT.includes(state);
/** SQL: the states of such attempts. */
export const carriedOut = quoted(CARRIED_OUT);

/** SQL: the states of attempts without a first answer, and of those without an outcome. */
export const unanswered = quoted(UNANSWERED);
export const undecided = quoted(UNDECIDED);

/** SQL: attempts that were sent, or may have been, and were not made as far as is known. */
export const NOT_MADE = `state in ('failed', 'abandoned') and reference is not null`;

const AttemptSchema = defineEntity({
  name: 'Attempt',
  policies: policiesThrough('attempt', 'customer'),
  comment: 'One operation at a gateway: written before it is asked, closed by its outcome',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    /** Test clock of its customer. */
    clockId: p.integer().nullable(),
    kind: p.string().length(13).$type<AttemptKind>(),
    origin: p.string().length(8).$type<AttemptOrigin>(),
    /** Credential of the request that started it; null if no request did. */
    credential: p.json().$type<UsedCredential>().nullable(),
    state: p.string().length(9).$type<AttemptState>(),
    /** Random key that identifies the operation at the gateway. */
    key: p.uuid(),
    gateway: p.string().length(32),
    /** The gateway's reference, committed before the operation is confirmed. Null: it was never confirmed. */
    reference: p.string().length(255).nullable(),
    amount: amount().nullable(),
    currency: p.string().length(3).nullable(),
    /** The part of the amount of a charge that is the convenience fee. */
    convenienceFee: amount().default('0'),
    method: p.string().length(12).$type<SourceMethod>().nullable(),
    source: () => p.manyToOne(PaymentSource).joinColumns('account_id', 'source_id').nullable().deleteRule('restrict'),
    /** Sealed text that only the gateway reads: a single-use token, or the amounts of micro-deposits. */
    sealedToken: p.text().nullable(),
    /** The person who waits for the answer. Null: nobody waits, or the attempt has ended. */
    payer: p.json().$type<PresentPayer>().nullable(),
    /** Sealed URL of the page on which the payer authenticates, while the attempt waits for that. */
    sealedChallenge: p.text().nullable(),
    /** Null: no charge, or one of an earlier version, which the gateway knows by its id. */
    shown: p.json().$type<ShownCharge>().nullable(),
    /** AutoPay charges another source once, because the default one was declined for good. */
    isFallback: p.boolean().default(false),
    vault: p.boolean().default(false),
    makeDefault: p.boolean().default(false),
    /** Name to whom the receipt is addressed. Null: the customer's. */
    receiptName: p.string().length(255).nullable(),
    /** Address that was given for the receipt. Null: none, so that it goes to the customer's. */
    receiptEmail: p.string().length(255).nullable(),
    failureCode: p.string().length(64).nullable(),
    failureMessage: p.string().length(255).nullable(),
    declineKind: p.string().length(14).$type<DeclineKind>().nullable(),
    /** Why it never happened, once it is abandoned. */
    interruption: p.string().length(16).$type<Interruption>().nullable(),
    endedAt: p.datetime().nullable(),
    /** Customer time at which a pending attempt's last look-up ended. */
    lookedUpAt: p.datetime().nullable(),
    /**
     * How often returns, disputes and failed refunds were looked up since its outcome. Only the answer of the latest look-up is recorded.
     */
    reversalLookUps: p.integer().default(0),
    /** Real time before the gateway was first asked to carry the operation out. Null: it never was, or by an earlier version. */
    sentAt: p.datetime().nullable(),
    /** Real time: the schedule of look-ups does not follow a customer's clock. */
    startedAt: p.datetime(),
    ...timestamps,
  },
  uniques: [{ name: 'attempt_key', properties: ['key'] }],
  indexes: [
    { name: 'attempt_by_customer', properties: ['accountId', 'customer', 'id'] },
    {
      name: 'attempt_clock',
      expression: `create index "attempt_clock" on "attempt" ("account_id", "clock_id") where clock_id is not null and state in (${unanswered})`,
    },
    {
      name: 'attempt_charged',
      expression: `create index "attempt_charged" on "attempt" ("account_id", "ended_at") where kind = 'charge' and state in ('succeeded', 'failed')`,
    },
    partialIndex('attempt', 'attempt_not_made', ['account_id, gateway, reference', NOT_MADE]),
    {
      name: 'attempt_without_outcome',
      expression: `create index "attempt_without_outcome" on "attempt" ("account_id", "id") where state in (${undecided})`,
    },
  ],
  checks: [
    { name: 'attempt_fee', expression: 'convenience_fee >= 0 and (convenience_fee = 0 or convenience_fee < amount)' },
    oneOf('attempt', 'state', attemptStates),
    oneOf('attempt', 'kind', attemptKinds),
    {
      name: 'attempt_waiting',
      expression: "(state = 'waiting') = (sealed_challenge is not null) and (state <> 'waiting' or payer is not null)",
    },
    { name: 'attempt_confirmed', expression: "reference is not null or state in ('open', 'abandoned')" },
    {
      name: 'attempt_amount',
      expression: "(kind in ('charge', 'refund')) = (amount is not null and currency is not null)",
    },
  ],
});
export class Attempt extends AttemptSchema.class {}
AttemptSchema.setClass(Attempt);
