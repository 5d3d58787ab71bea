import { visibleLine } from '../../billing/look/visibleText.ts';
import type { EventReason, UsedCredential } from '../../db/schema/event.ts';
import { plannedWordsOf } from '../../words/planned/words.ts';
import { member } from '../kernel/values.ts';
import { careTexts, promised, taskOf } from './careEvents.ts';
import {
  became,
  day,
  type EventFacts,
  type EventWords,
  generally,
  idOf,
  isOnPage,
  money,
  say,
  text,
} from './eventFacts.ts';
import { moneyTexts, writtenOffInWords } from './moneyEvents.ts';
import { chargeFailedBy } from './planned.ts';
import { subscriptionReasons, subscriptionTexts } from './subscriptionEvents.ts';

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

/** The actor of an event, in a few words of English. */
export function actorOf(facts: Pick<EventFacts, 'reason' | 'userId' | 'credential'>): string {
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

/** A sentence about the document of an event. */
const ofDocument = (facts: EventFacts, label: string, values: Readonly<Record<string, string>> = {}): string =>
  say(facts, label, { number: text(facts.object.number), ...values });

/** Texts of events by their stored reason. */
const withReason: Readonly<Record<Exclude<EventReason, 'on_page'>, (facts: EventFacts) => EventWords>> = {
  ...subscriptionReasons,
  due_date_passed: (facts) => {
    const { pastDue, pastDueWhy: why } = facts.words.invoice;
    return { what: ofDocument(facts, pastDue), why };
  },
  late_fee_accrued: (facts) => {
    const { lateFee, lateFeeWhy: why } = facts.words.invoice;
    return { what: ofDocument(facts, lateFee), why };
  },
  early_discount_ended: (facts) => {
    const { discountDropped, discountDroppedWhy: why } = facts.words.invoice;
    return { what: ofDocument(facts, discountDropped), why };
  },
  early_discount_earned: (facts) => ({
    what: ofDocument(facts, facts.words.documents.noteIssued, { total: money(facts, 'total') }),
    why: facts.words.invoice.discountEarnedWhy,
  }),
  promise_broken: (facts) => {
    const { promiseBroken, promiseBrokenOn, promiseBrokenWhy } = facts.words.invoice;
    const date = member(facts.object.expected_payment_date ?? null, 'date');
    return {
      what: typeof date === 'number' ? say(facts, promiseBrokenOn, { day: day(facts, date) }) : promiseBroken,
      why: say(facts, promiseBrokenWhy, { balance: money(facts, 'balance') }),
    };
  },
  line_disputed: (facts) => {
    const { lineDisputed, lineDisputedWhy, lineDisputedUntil } = facts.words.invoice;
    const until = facts.object.dispute_hold_until;
    const why = typeof until === 'number' ? say(facts, lineDisputedUntil, { day: day(facts, until) }) : lineDisputedWhy;
    return { what: ofDocument(facts, lineDisputed), why };
  },
  paid_up: (facts) => completedBy(facts, 'paid_up'),
  nothing_owed: (facts) => completedBy(facts, 'nothing_owed'),
  expiration_date_passed: (facts) => {
    const { expired, expiredWhy: why } = facts.words.documents;
    return { what: ofDocument(facts, expired), why };
  },
  payment_pending: (facts) => {
    const { pending, pendingWhy: why } = facts.words.invoice;
    return { what: ofDocument(facts, pending), why };
  },
  charge_failed: (facts) => {
    const { object, words, language } = facts;
    const next = object.next_payment_attempt;
    const count = text(object.attempt_count);
    const what =
      typeof next === 'number'
        ? say(facts, words.invoice.attemptFailedNext, { count, day: day(facts, next) })
        : say(facts, words.invoice.attemptFailedLast, { count });
    return { what, why: chargeFailedBy(text(member(object.payment_failure ?? null, 'code')), language) };
  },
  credit_applied: (facts) => {
    const { paid, creditPaidRest, creditPaidPart } = facts.words.invoice;
    if (facts.type === 'invoice.paid') return { what: ofDocument(facts, paid), why: creditPaidRest };
    return { what: changedInvoice(facts), why: creditPaidPart };
  },
  match_certain: (facts) => {
    const { payment, invoice } = facts.words;
    if (facts.type === 'payment.updated')
      return { what: say(facts, payment.matched, { amount: money(facts, 'amount') }), why: payment.matchedWhy };
    const what = facts.type === 'invoice.paid' ? ofDocument(facts, invoice.paid) : changedInvoice(facts);
    return { what, why: invoice.matchedWhy };
  },
  no_payment_source: (facts) => {
    const { byHand, byHandWhy: why } = facts.words.invoice;
    return { what: ofDocument(facts, byHand), why };
  },
};

/** A task that Perennial completed. */
function completedBy(facts: EventFacts, outcome: 'paid_up' | 'nothing_owed'): EventWords {
  const what = say(facts, facts.words.care.taskCompleted, { task: taskOf(facts) });
  return { what, why: plannedWordsOf(facts.language).outcomes[outcome] };
}

/** A change of an estimate. A customer who declines does so on its page. */
function changedEstimate(facts: EventFacts): string {
  const { object, previous } = facts;
  const { documents } = facts.words;
  if (became(facts, 'status', 'voided')) return ofDocument(facts, documents.voided);
  if (became(facts, 'status', 'invoiced'))
    return ofDocument(facts, documents.becameInvoice, { invoice: idOf(object.invoice) });
  if (became(facts, 'status', 'declined'))
    return ofDocument(facts, isOnPage(facts) ? documents.declined : documents.closed);
  if ('draft' in previous) return ofDocument(facts, documents.issued, { total: money(facts, 'total') });
  if ('deposit_paid' in previous)
    return ofDocument(facts, object.deposit_paid ? documents.depositHere : documents.depositGone);
  return generally(facts);
}

const viewed = (facts: EventFacts) => ofDocument(facts, facts.words.documents.viewed);

/** Texts of events by type, for events without a stored reason. */
const texts: Readonly<Record<string, (facts: EventFacts) => EventWords | string>> = {
  ...careTexts,
  ...subscriptionTexts,
  ...moneyTexts,
  'invoice.created': issued,
  'invoice.updated': (facts) => writtenOffInWords(facts) ?? changedInvoice(facts),
  'invoice.paid': (facts) => writtenOffInWords(facts) ?? paidInWords(facts),
  'invoice.payment_expected': promised,
  'estimate.created': (facts) => {
    const { estimateDrafted, estimateIssued } = facts.words.documents;
    return facts.object.draft ? estimateDrafted : ofDocument(facts, estimateIssued, { total: money(facts, 'total') });
  },
  'estimate.viewed': viewed,
  'estimate.approved': (facts) => ofDocument(facts, facts.words.documents.approved),
  'estimate.updated': changedEstimate,
  'line_item.created': (facts) => say(facts, facts.words.documents.linePending, { amount: money(facts, 'amount') }),
  'invoice.viewed': viewed,
  'credit_note.viewed': viewed,
  'credit_note.created': (facts) => {
    const { noteDrafted, noteIssued } = facts.words.documents;
    return facts.object.draft ? noteDrafted : ofDocument(facts, noteIssued, { total: money(facts, 'total') });
  },
  'credit_note.updated': changedCreditNote,
  'credit_balance_adjustment.created': (facts) => {
    const { adjusted, adjustedByRefund } = facts.words.documents;
    const amount = money(facts, 'amount');
    const refund = text(facts.object.refund);
    return refund ? say(facts, adjustedByRefund, { amount, refund }) : say(facts, adjusted, { amount });
  },
};

function issued(facts: EventFacts): EventWords | string {
  const { object, words } = facts;
  if (object.draft) return say(facts, words.invoice.draftMade, { total: money(facts, 'total') });
  const what = issuedInWords(facts);
  const [line] = Array.isArray(object.items) ? object.items : [];
  const [from, to] = [member(line, 'period_start'), member(line, 'period_end')];
  if (!object.subscription || typeof from !== 'number' || typeof to !== 'number') return what;
  const values = { id: text(object.subscription), from: day(facts, from), to: day(facts, to) };
  return { what, why: say(facts, words.invoice.billsPeriod, values) };
}

/** "issued INV-00001 for $980.00, with an early-payment discount of $20.00 until 11 March 2027" */
function issuedInWords(facts: EventFacts): string {
  const { invoice } = facts.words;
  const total = money(facts, 'total');
  const discount = earlyDiscountOf(facts);
  if (discount) return ofDocument(facts, invoice.issuedDiscount, { total, ...discount });
  const terms = text(facts.object.payment_terms);
  return terms.includes('%')
    ? ofDocument(facts, invoice.issuedTerms, { total, terms })
    : ofDocument(facts, invoice.issued, { total });
}

/** The discount for early payment that is on an invoice: it ends, and no coupon gave it. Null: none is. */
function earlyDiscountOf(facts: EventFacts): { amount: string; day: string } | null {
  const { object } = facts;
  const discounts = Array.isArray(object.discounts) ? object.discounts : [];
  const found = discounts.find((one) => typeof member(one, 'expires') === 'number' && member(one, 'coupon') === null);
  const expires = member(found, 'expires');
  if (typeof expires !== 'number') return null;
  const of = { currency: object.currency ?? null, amount: member(found, 'amount') ?? null };
  return { amount: money(facts, 'amount', of), day: day(facts, expires - 1) };
}

function paidInWords(facts: EventFacts): EventWords {
  const { paid, paidWhy, paidWhyDiscount } = facts.words.invoice;
  const total = money(facts, 'total');
  const discount = earlyDiscountOf(facts);
  const why = discount
    ? say(facts, paidWhyDiscount, { total, amount: discount.amount })
    : say(facts, paidWhy, { total });
  return { what: ofDocument(facts, paid), why };
}

/** What is left of a document, and what was left before. */
const balances = (facts: EventFacts) => ({
  balance: money(facts, 'balance'),
  before: money(facts, 'balance', { ...facts.object, ...facts.previous }),
});

function changedInvoice(facts: EventFacts): string {
  const { object, previous, words } = facts;
  const { balance, before } = balances(facts);
  if (object.status === 'voided') return ofDocument(facts, words.documents.voided);
  if (became(facts, 'draft', false)) return issuedInWords(facts);
  if (became(facts, 'closed', true) && !object.paid) return ofDocument(facts, words.invoice.badDebt, { balance });
  if (became(facts, 'closed', false)) return ofDocument(facts, words.invoice.takenUp, { balance });
  if (became(facts, 'status', 'past_due')) return ofDocument(facts, words.invoice.pastDue);
  if ('balance' in previous) return ofDocument(facts, words.invoice.owes, { balance, before });
  return generally(facts);
}

function changedCreditNote(facts: EventFacts): string {
  const { object, previous, words } = facts;
  const { balance, before } = balances(facts);
  if (object.status === 'voided') return ofDocument(facts, words.documents.voided);
  if (became(facts, 'draft', false)) return ofDocument(facts, words.documents.issued, { total: money(facts, 'total') });
  if (became(facts, 'status', 'closed')) return ofDocument(facts, words.documents.forfeited, { balance });
  if ('balance' in previous) return ofDocument(facts, words.documents.left, { balance, before });
  return generally(facts);
}
