import type { PlanAsk } from '../../../billing/collection/planProgress.ts';
import { decimalIn } from '../../../billing/money/money.ts';
import { choices, field, hidden } from '../kit/forms.ts';
import { type Html, html, printed } from '../kit/html.ts';
import type { Payee } from './frame.ts';
import { isWithin, type Offers, type ShownOffer } from './offers.ts';

/** Value of the choice of an amount that is typed. */
export const OTHER = 'other';

/** The values of a form that was refused, to be shown again. */
export interface Typed {
  /** The chosen one of the offered amounts; empty: none, or no choice was offered. */
  choice: string;
  amount: string;
  name: string;
  email: string;
  /** Whether the method is to be saved for automatic payments. */
  isSaved: boolean;
}

export interface AmountChoice {
  payee: Payee;
  plan: PlanAsk | null;
  offers: Offers;
  /** The method that is shown. */
  offer: ShownOffer;
  typed: Typed;
  /** What is wrong with the amount: printed text; null if nothing is. */
  fault: string | null;
}

/**
 * The fields for the amount to pay. Without a payment plan, an amount is only typed. `amount`: the one that is chosen when the page opens;
 * `isFixed`: no other can be chosen.
 */
export function amountChoice(choice: AmountChoice): { html: Html; amount: string; isFixed: boolean } {
  const { offers, offer } = choice;
  const { balance, asked, isPartial } = offers;
  const amounts = [asked, balance].filter((amount) => amount !== null).filter((amount) => isWithin(amount, offer));
  const [first = balance, ...others] = asked === null ? [] : amounts;
  if (!isPartial && others.length === 0) return { html: hidden('amount', first), amount: first, isFixed: true };
  const typed = decimalOf(choice.typed.amount) ?? balance;
  if (asked === null || amounts.length === 0) return { html: typedAmount(choice), amount: typed, isFixed: false };
  const chosen = chosenOf(choice, amounts);
  const html = chosenAmount(choice, { amounts, chosen });
  return { html, amount: chosen === OTHER ? typed : chosen, isFixed: false };
}

const MOST_DECIMALS = 4;

/** The decimal text of a typed amount, with a point or a comma. Null: it is none. */
export function decimalOf(typed: string): string | null {
  if (!/^\d{1,14}([.,]\d{1,4})?$/.test(typed)) return null;
  return decimalIn(typed.replace(',', '.'), { maxDecimals: MOST_DECIMALS, maxSignificant: 15 }).decimal;
}

/** The amount that is chosen: as the reader chose before, or else the first. */
function chosenOf({ typed, offers }: AmountChoice, amounts: readonly string[]): string {
  const isTyped = typed.choice !== '' && offers.isPartial;
  return amounts.find((amount) => amount === typed.choice) ?? (isTyped ? OTHER : (amounts[0] ?? OTHER));
}

function typedAmount({ payee, offer, typed, fault }: AmountChoice, isOptional?: true): Html {
  return field({
    name: 'amount',
    label: payee.words.amountToPay,
    value: typed.amount,
    type: 'text',
    inputMode: 'decimal',
    autocomplete: 'off',
    maxLength: 20,
    hint: fault === null ? offer.bounds : null,
    problem: fault === null ? null : 'amount-fault',
    fault: fault && printed(fault),
    isFocused: fault !== null,
    ...(isOptional && { isOptional }),
  });
}

/** Label of the amount that is less than the balance. */
function askedLabel(words: Payee['words'], plan: PlanAsk | null): string {
  if (!plan) return words.payEarly;
  return plan.hasMissed ? words.payMissed : words.payNext;
}

function chosenAmount(choice: AmountChoice, { amounts, chosen }: { amounts: readonly string[]; chosen: string }): Html {
  const { payee, plan, offers } = choice;
  const { words, pen } = payee;
  const options = amounts.map((value) => {
    const isAll = value === offers.balance;
    const label = isAll ? words.payBalance : askedLabel(words, plan);
    return { value, label, hint: printed(pen.formats.money(value)) };
  });
  const other = offers.isPartial ? [{ value: OTHER, label: words.payOther, hint: null }] : [];
  const all = [...options, ...other];
  const given = choices('choice', words.howMuch, { options: all, chosen });
  return html`<div class="amounts">${given}${offers.isPartial ? typedAmount(choice, true) : null}</div>`;
}
