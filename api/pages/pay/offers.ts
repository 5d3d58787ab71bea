import { earlyAmount } from '../../../billing/documents/earlyDiscount.ts';
import { compare, type Money, minimum, roundMoney } from '../../../billing/money/money.ts';
import { methodOfSource, type PaymentSourceType, type SourceMethod } from '../../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { setting } from '../../../billing/settings.ts';
import { fieldsOf, type MountedFields } from '../../../commands/charges/instruments.ts';
import { type PayableMethod, payableMethods } from '../../../commands/charges/payable.ts';
import type { Paying } from '../../../commands/documents/paying.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Account } from '../../../db/schema/account.ts';
import { Customer, type PaymentSource } from '../../../db/schema/customer.ts';
import { sourceInShort } from '../../../present/printed/paying.ts';
import { earlyDiscountInWords } from '../../../present/printed/totals.ts';
import { fill } from '../../../words/text.ts';
import type { Opened } from '../hosted/address.ts';
import type { Payee } from './frame.ts';

/** The early-payment discount of an invoice as the page that pays it shows it. */
export interface EarlyOffer {
  words: string;
  /** The amount to pay if the customer uses the discount. Null: the balance, because the discount is already subtracted from it. */
  amount: Money | null;
}

/** Reads the early-payment discount that lasts at the customer's time. Null: there is none. */
export async function earlyOffer({ em, account, printable }: Opened, systemNow: Date): Promise<EarlyOffer | null> {
  const { early, document, owed, pen } = printable.paying ?? {};
  if (!early || !document || !owed || !pen) return null;
  const of = { accountId: account.id, id: document.customer.id };
  const customer = await em.findOneOrFail(Customer, of, { populate: ['testClock'] });
  const now = (customer.testClock?.frozenAt ?? systemNow).getTime();
  if (now >= early.endsAt) return null;
  return { words: earlyDiscountInWords(early, owed, pen), amount: earlyAmount(early, owed, now) };
}

/** A payment method as the page shows it. */
export interface ShownOffer {
  method: string;
  name: string;
  /** Bounds of the amount in words; null: there are none. */
  bounds: string | null;
  /** The same as decimal texts. */
  min: string | null;
  max: string | null;
  /** Whether the balance, or a part of it, can be paid with it. */
  isUsable: boolean;
  /** The gateway that takes its tokens; null: it is paid by hand. */
  configuration: string | null;
  instructions: string | null;
}

/** A stored payment source of a visitor who signed in. */
export interface StoredOffer {
  id: number;
  /** "Mastercard 5454". */
  name: string;
  method: SourceMethod;
  type: PaymentSourceType;
}

export interface Offers {
  all: ShownOffer[];
  /** The stored sources that can be charged, the default one first. */
  stored: StoredOffer[];
  /** The method that the page shows; null: none can be used. */
  chosen: ShownOffer | null;
  /** The stored source that the page shows; null: another one is entered. */
  chosenSource: StoredOffer | null;
  /** The gateway's fields for the shown method; null: it has none. */
  mounted: MountedFields | null;
  /** Whether a part of the balance can be paid. */
  isPartial: boolean;
  /** Decimal text: what is owed. */
  balance: string;
  /** The amount that a payment plan asks for now, or that pays with the early-payment discount, if less than the balance. Null: there is none. */
  asked: string | null;
}

/** What a page offers for what it lets its visitor pay. `wanted`: the method or stored source that its reader chose; null: none yet. */
export async function offersOf(
  em: EntityManager,
  payee: Payee,
  about: {
    account: Account;
    paying: Paying;
    early: EarlyOffer | null;
    sources: readonly PaymentSource[];
    wanted: Wanted;
  },
): Promise<Offers> {
  const { account, paying, early, sources, wanted } = about;
  const { document, owed, ask } = paying;
  const { currency } = document;
  const customer = await em.findOneOrFail(Customer, { accountId: account.id, id: document.customer.id });
  const isPartial = setting(account, 'partial_payments');
  const payable = { account, customer, document, amount: owed, currency };
  const less = ask?.asked ?? early?.amount ?? null;
  const asked = less !== null && compare(less, owed) < 0 ? roundMoney(less, currency) : null;
  const due = { amount: owed, currency, isPartial, asked };
  const all = (await payableMethods(em, payable)).map((offer) => shownOffer(payee, offer, due));
  const usable = all.filter((offer) => offer.isUsable);
  const stored = sources.map((source) => storedOffer(source, payee)).filter(({ method }) => isOffered(usable, method));
  const first = wanted.method === null ? stored[0] : undefined;
  const chosenSource = stored.find(({ id }) => String(id) === wanted.source) ?? first ?? null;
  const method = chosenSource?.method ?? wanted.method;
  const chosen = usable.find((offer) => offer.method === method) ?? usable.at(0) ?? null;
  const configuration = chosenSource === null ? (chosen?.configuration ?? null) : null;
  const mounted = configuration === null ? null : await mountedOf(em, account, configuration);
  return { all, stored, chosen, chosenSource, mounted, isPartial, balance: owed, asked };
}

/** The method that a reader chose, and the id of a stored source; null: none. */
export interface Wanted {
  method: string | null;
  source: string | null;
}

function storedOffer(source: PaymentSource, { words }: Payee): StoredOffer {
  const { id, type } = source;
  return { id, type, method: methodOfSource(type), name: sourceInShort(source, words) };
}

function isOffered(usable: readonly ShownOffer[], method: SourceMethod): boolean {
  return usable.some((offer) => offer.method === method);
}

/** The fields of a gateway. Null: its merchant account has no publishable key. */
async function mountedOf(em: EntityManager, { id }: Account, configuration: string): Promise<MountedFields | null> {
  try {
    return await fieldsOf(em, { accountId: id, configuration });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return null;
  }
}

/** Whether an amount is within the bounds of a method. */
export function isWithin(amount: string, { min, max }: Pick<ShownOffer, 'min' | 'max'>): boolean {
  return (min === null || compare(min, amount) <= 0) && (max === null || compare(amount, max) <= 0);
}

function shownOffer(
  { pen, words, labels }: Payee,
  { terms, obstacle, configuration }: PayableMethod,
  due: { amount: string; currency: string; isPartial: boolean; asked: string | null },
): ShownOffer {
  const { method } = terms;
  const names: Record<string, string> = { credit_card: words.card, ach: words.bankAccount };
  const isBound = terms.currency === due.currency;
  const min = isBound ? terms.min : null;
  const most = isBound ? terms.max : null;
  const max = due.isPartial ? minimum(due.amount, ...(most === null ? [] : [most])) : most;
  const say = (amount: string) => pen.formats.money(amount);
  const inWords = () => {
    if (min !== null && max !== null) return fill(words.fromTo, { min: say(min), max: say(max) });
    if (min !== null) return fill(words.from, { min: say(min) });
    return max === null ? null : fill(words.upTo, { max: say(max) });
  };
  const isAskedOnly = due.asked !== null && obstacle === 'above_max' && isWithin(due.asked, { min, max: most });
  const isPartOnly = due.isPartial && obstacle === 'above_max' && (min === null || compare(min, due.amount) <= 0);
  return {
    method,
    name: names[method] ?? labels.methods[method] ?? method,
    bounds: inWords(),
    min,
    max: most,
    isUsable: obstacle === null || isPartOnly || isAskedOnly,
    configuration,
    instructions: terms.instructions,
  };
}
