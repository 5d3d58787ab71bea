import { taskOutcomes } from '../../billing/collection/taskOutcome.ts';
import { visibleLine } from '../../billing/look/visibleText.ts';
import type { EventReason, UsedCredential } from '../../db/schema/event.ts';
import { member, type Presented } from '../kernel/values.ts';
import { became, day, type EventFacts, type EventWords, generally, idOf, isOnPage, money, text } from './eventFacts.ts';
import { changedPayment, receivedPayment, writtenOffInWords } from './moneyEvents.ts';
import { addonsOf, changedSubscription, subscriptionReasons } from './subscriptionEvents.ts';

/**
 * Describes an event. `why` is null if only its actor is known. An event type without texts of its own is described by the type and the
 * changed fields.
 */
export function eventInWords(facts: EventFacts): EventWords | { what: string; why: null } {
  const { reason } = facts;
  if (reason !== null && reason !== 'on_page') return withReason[reason](facts);
  const what = texts[facts.type]?.(facts) ?? generally(facts);
  return typeof what === 'string' ? { what, why: null } : what;
}

/** The actor of an event, in a few words. */
export function actorOf(facts: EventFacts): string {
  if (isOnPage(facts)) return 'customer';
  if (facts.userId === -1) return 'Perennial';
  if (facts.credential?.kind === 'member') return visibleLine(facts.credential.name);
  return facts.userId === -2 ? credentialInWords(facts.credential) : `user ${facts.userId}`;
}

/** Maximum number of characters of a key's or application's name that are shown. */
const CREDENTIAL_NAME = 40;

/** The credential of a request: `API key "Shop"`, `application "Bookkeeper"`. Older events have none. */
function credentialInWords(credential: UsedCredential | null): string {
  if (!credential) return 'API';
  const letters = [...visibleLine(credential.name).replaceAll('"', "'")];
  const name = letters.slice(0, CREDENTIAL_NAME).join('');
  return `${credential.kind === 'api_key' ? 'API key' : 'application'} "${name}"`;
}

/** Texts of events by their stored reason. */
const withReason: Readonly<Record<Exclude<EventReason, 'on_page'>, (facts: EventFacts) => EventWords>> = {
  ...subscriptionReasons,
  latest_date: () => ({ what: 'finished', why: 'the next period would end after 2199' }),
  invoice_past_due: () => ({ what: 'past due', why: 'an invoice of it is past due' }),
  no_invoice_past_due: () => ({ what: 'active again', why: 'no invoice of it is past due' }),
  due_date_passed: ({ object }) => ({
    what: `${text(object.number)} past due`,
    why: 'the day of its due date has ended',
  }),
  late_fee_accrued: ({ object }) => ({
    what: `late fee of ${text(object.number)}`,
    why: 'it is overdue, and the late fee schedule charges a fee',
  }),
  early_discount_ended: ({ object }) => ({
    what: `early-payment discount of ${text(object.number)} dropped`,
    why: 'it was not paid in full before the discount ended',
  }),
  early_discount_earned: ({ object }) => ({
    what: `credit note ${text(object.number)} issued for ${money(object, 'total')}`,
    why: 'the invoice was paid early enough for its discount',
  }),
  promise_broken: ({ object, timeZone }) => {
    const promised = member(object.expected_payment_date ?? null, 'date');
    const when = typeof promised === 'number' ? ` of ${day(promised, timeZone)}` : '';
    return {
      what: `promised payment${when} did not come`,
      why: `${money(object, 'balance')} are left, and the promised day has ended`,
    };
  },
  line_disputed: ({ object, timeZone }) => {
    const until = object.dispute_hold_until;
    return {
      what: `a line of ${text(object.number)} disputed`,
      why: `the customer disputes it${typeof until === 'number' ? `; nobody asks for the invoice before ${day(until, timeZone)}` : ''}`,
    };
  },
  paid_up: ({ object }) => ({ what: `task ${text(object.id)} completed`, why: taskOutcomes.paid_up }),
  nothing_owed: ({ object }) => ({
    what: `task ${text(object.id)} completed`,
    why: taskOutcomes.nothing_owed,
  }),
  expiration_date_passed: ({ object }) => ({
    what: `${text(object.number)} expired`,
    why: 'the day of its expiration date has ended',
  }),
  payment_pending: ({ object }) => ({
    what: `${text(object.number)} pending`,
    why: 'a payment of it is on its way',
  }),
  charge_failed: ({ object, timeZone }) => {
    const next = object.next_payment_attempt;
    const then = typeof next === 'number' ? `next on ${day(next, timeZone)}` : 'no more by itself';
    return { what: `attempt ${text(object.attempt_count)} failed, ${then}`, why: 'the charge failed' };
  },
  credit_applied: (facts) => {
    const { object } = facts;
    const isPaid = facts.type === 'invoice.paid';
    return {
      what: isPaid ? `${text(object.number)} paid` : changedInvoice(facts),
      why: `credit of the customer paid ${isPaid ? 'what was left' : 'a part of it'}`,
    };
  },
  match_certain: (facts) => {
    const { object, type } = facts;
    const why = 'it names its invoices, and its amount is the sum of their balances';
    if (type === 'payment.updated') return { what: `payment of ${money(object, 'amount')} applied by itself`, why };
    const paid = type === 'invoice.paid' ? `${text(object.number)} paid` : changedInvoice(facts);
    return { what: paid, why: 'a payment names it, and its amount is the sum of the balances' };
  },
  no_payment_source: ({ object }) => ({
    what: `${text(object.number)} collected by hand from here`,
    why: 'AutoPay has no payment source to charge',
  }),
};

/** A change of a customer. */
function changedCustomer(facts: EventFacts): string {
  const reason = text(facts.object.credit_hold_reason);
  if (became(facts, 'credit_hold', true)) return reason === '' ? 'put on hold' : `put on hold: ${reason}`;
  return became(facts, 'credit_hold', false) ? 'released from hold' : generally(facts);
}

/** A change of an estimate. A customer who declines does so on its page. */
function changedEstimate(facts: EventFacts): string {
  const { object, previous } = facts;
  const number = text(object.number);
  if (became(facts, 'status', 'voided')) return `${number} voided`;
  if (became(facts, 'status', 'invoiced')) return `${number} became invoice ${idOf(object.invoice)}`;
  if (became(facts, 'status', 'declined')) return `${number} ${isOnPage(facts) ? 'declined' : 'closed'}`;
  if ('draft' in previous) return `${number} issued for ${money(object, 'total')}`;
  if ('deposit_paid' in previous)
    return object.deposit_paid ? `the deposit of ${number} is here` : `the deposit of ${number} is no longer here`;
  return generally(facts);
}

/** Texts of events by type, for events without a stored reason. */
const texts: Readonly<Record<string, (facts: EventFacts) => EventWords | string>> = {
  'customer.created': ({ object }) => `customer ${text(object.name)} created`,
  'customer.updated': changedCustomer,
  'subscription.created': ({ object }) =>
    [`subscribed to ${idOf(object.plan)} x ${text(object.quantity)}`, ...addonsOf(object)].join(' + '),
  'subscription.updated': changedSubscription,
  'subscription.deleted': () => 'canceled',
  'subscription.usage_threshold': ({ object: { usage_threshold: reached } }) => ({
    what: `usage of ${text(member(reached, 'plan'))} reached ${text(member(reached, 'quantity'))}`,
    why: 'the subscription has this threshold',
  }),
  'invoice.created': issued,
  'invoice.updated': (facts) => writtenOffInWords(facts) ?? changedInvoice(facts),
  'invoice.paid': (facts) => writtenOffInWords(facts) ?? paidInWords(facts),
  'invoice.payment_expected': ({ object, timeZone }) => {
    const promised = member(object.expected_payment_date ?? null, 'date');
    const when = typeof promised === 'number' ? ` by ${day(promised, timeZone)}` : '';
    return { what: `payment of ${text(object.number)} promised${when}`, why: 'until then nobody asks for it' };
  },
  'estimate.created': ({ object }) =>
    object.draft ? 'estimate drafted' : `estimate ${text(object.number)} issued for ${money(object, 'total')}`,
  'estimate.viewed': ({ object }) => `${text(object.number)} looked at`,
  'estimate.approved': ({ object }) => `${text(object.number)} approved`,
  'estimate.updated': changedEstimate,
  'line_item.created': ({ object }) => `line of ${money(object, 'amount')} pending`,
  'invoice.viewed': ({ object }) => `${text(object.number)} looked at`,
  'credit_note.viewed': ({ object }) => `${text(object.number)} looked at`,
  'payment_source.created': ({ object }) => `${sourceOf(object)} added`,
  'payment_source.updated': changedSource,
  'payment_source.deleted': ({ object }) => `${sourceOf(object)} deleted`,
  'payment.created': receivedPayment,
  'payment.updated': changedPayment,
  'payment.deleted': ({ object }) => `payment of ${money(object, 'amount')} voided`,
  'credit_note.created': ({ object }) =>
    object.draft ? 'credit note drafted' : `credit note ${text(object.number)} issued for ${money(object, 'total')}`,
  'credit_note.updated': changedCreditNote,
  'credit_balance_adjustment.created': ({ object }) => {
    const amount = money(object, 'amount');
    const of = object.refund ? ` by refund ${text(object.refund)}` : '';
    return `credit balance adjusted by ${amount}${of}`;
  },
  'charge.failed': ({ object }) => ({
    what: `charge of ${money(object, 'amount')} failed`,
    why: text(object.failure_message) || 'no reason was given',
  }),
  'charge.disputed': ({ object }) => ({
    what: `charge of ${money(object, 'amount')} disputed`,
    why: 'its bank holds the money until it decides',
  }),
};

/** A change of a payment source: it cannot be charged any more, or it became the default. */
function changedSource(facts: EventFacts): EventWords | string {
  const { object } = facts;
  if (!became(facts, 'chargeable', false)) return `${sourceOf(object)} made the default`;
  return { what: `${sourceOf(object)} can no longer be charged`, why: text(object.failure_reason) };
}

/** A payment source in words: "Visa 4242", "bank account 6789". */
function sourceOf({ object: type, brand, last4 }: Presented): string {
  return `${type === 'card' ? text(brand) || 'card' : 'bank account'} ${text(last4)}`;
}

function issued(facts: EventFacts): EventWords | string {
  const { object, timeZone } = facts;
  if (object.draft) return `draft of ${money(object, 'total')} made`;
  const what = issuedInWords(facts);
  const [line] = Array.isArray(object.items) ? object.items : [];
  const [from, to] = [member(line, 'period_start'), member(line, 'period_end')];
  if (!object.subscription || typeof from !== 'number' || typeof to !== 'number') return what;
  return {
    what,
    why: `subscription ${text(object.subscription)} bills ${day(from, timeZone)} to ${day(to, timeZone)}`,
  };
}

/** "issued INV-00001 for 980.00 usd, with an early-payment discount of 20.00 usd until 11 March 2027" */
function issuedInWords({ object, timeZone }: EventFacts): string {
  const what = `issued ${text(object.number)} for ${money(object, 'total')}`;
  const discount = earlyDiscountOf(object);
  if (discount) return `${what}, with an early-payment discount ${discount.amount} until ${discount.lastDay(timeZone)}`;
  const terms = text(object.payment_terms);
  return terms.includes('%') ? `${what}, with an early-payment discount by ${terms}` : what;
}

function withDiscount(object: Presented): string {
  const discount = earlyDiscountOf(object);
  return discount ? `, after its early-payment discount ${discount.amount}` : '';
}

/** The discount for early payment that is on an invoice: it ends, and no coupon gave it. Null: none is. */
function earlyDiscountOf(object: Presented): { amount: string; lastDay: (zone: string) => string } | null {
  const discounts = Array.isArray(object.discounts) ? object.discounts : [];
  const found = discounts.find((one) => typeof member(one, 'expires') === 'number' && member(one, 'coupon') === null);
  const expires = member(found, 'expires');
  if (typeof expires !== 'number') return null;
  const amount = `of ${money({ currency: object.currency ?? null, amount: member(found, 'amount') ?? null }, 'amount')}`;
  return { amount, lastDay: (zone) => day(expires - 1, zone) };
}

function paidInWords({ object }: EventFacts): EventWords {
  const why = `nothing is left of ${money(object, 'total')}${withDiscount(object)}`;
  return { what: `${text(object.number)} paid`, why };
}

function changedInvoice(facts: EventFacts): string {
  const { object, previous } = facts;
  const number = text(object.number);
  if (object.status === 'voided') return `${number} voided`;
  if (became(facts, 'draft', false)) return issuedInWords(facts);
  if (became(facts, 'closed', true) && !object.paid)
    return `${number} given up: ${money(object, 'balance')} are bad debt`;
  if (became(facts, 'closed', false)) return `${number} taken up again: ${money(object, 'balance')} are owed`;
  if (became(facts, 'status', 'past_due')) return `${number} past due`;
  if ('balance' in previous)
    return `${number} owes ${money(object, 'balance')}, before ${money({ ...object, ...previous }, 'balance')}`;
  return generally(facts);
}

function changedCreditNote(facts: EventFacts): EventWords | string {
  const { object, previous } = facts;
  const number = text(object.number);
  if (object.status === 'voided') return `${number} voided`;
  if (became(facts, 'draft', false)) return `${number} issued for ${money(object, 'total')}`;
  if (became(facts, 'status', 'closed')) return `${number} closed: ${money(object, 'balance')} are forfeited`;
  if ('balance' in previous)
    return `${number} has ${money(object, 'balance')} left, before ${money({ ...object, ...previous }, 'balance')}`;
  return generally(facts);
}
