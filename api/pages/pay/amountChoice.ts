import type { PlanAsk } from '../../../billing/collection/planProgress.ts';
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
  /** Id of the alert that explains what is wrong with the amount; null if nothing is. */
  problem: string | null;
}

/** The fields for the amount to pay. `fixed`: the amount, if nothing can be chosen. Without a payment plan, an amount is only typed. */
export function amountChoice(choice: AmountChoice): { html: Html; fixed: string | null } {
  const { offers, offer } = choice;
  const { balance, asked, isPartial } = offers;
  const amounts = [asked, balance].filter((amount) => amount !== null).filter((amount) => isWithin(amount, offer));
  const [first = balance, ...others] = asked === null ? [] : amounts;
  if (!isPartial && others.length === 0) return { html: hidden('amount', first), fixed: first };
  const isTyped = asked === null || amounts.length === 0;
  return { html: isTyped ? typedAmount(choice) : chosenAmount(choice, amounts), fixed: null };
}

function typedAmount({ payee, offer, typed, problem }: AmountChoice, isOptional?: true): Html {
  return field({
    name: 'amount',
    label: payee.words.amountToPay,
    value: typed.amount,
    type: 'text',
    inputMode: 'decimal',
    autocomplete: 'off',
    maxLength: 20,
    hint: offer.bounds,
    problem,
    isFocused: problem !== null,
    ...(isOptional && { isOptional }),
  });
}

/** Label of the amount that is less than the balance. */
function askedLabel(words: Payee['words'], plan: PlanAsk | null): string {
  if (!plan) return words.payEarly;
  return plan.hasMissed ? words.payMissed : words.payNext;
}

function chosenAmount(choice: AmountChoice, amounts: readonly string[]): Html {
  const { payee, plan, offers, typed } = choice;
  const { words, pen } = payee;
  const options = amounts.map((value) => {
    const isAll = value === offers.balance;
    const label = isAll ? words.payBalance : askedLabel(words, plan);
    return { value, label, hint: printed(pen.formats.money(value)) };
  });
  const other = offers.isPartial ? [{ value: OTHER, label: words.payOther, hint: null }] : [];
  const all = [...options, ...other];
  const chosen = all.find(({ value }) => value === typed.choice)?.value ?? amounts[0] ?? OTHER;
  const given = choices('choice', words.howMuch, { options: all, chosen });
  return html`<div class="amounts">${given}${offers.isPartial ? typedAmount(choice, true) : null}</div>`;
}
