import { type Model, type ModelPart, moneyOf } from './creditModel.ts';
import { type CreditStep, type CreditWalker, inUnits } from './creditStep.ts';

/** Random adjustments of the credit balance, and random payments. */
export function creditMoneySteps(at: CreditWalker): Record<string, CreditStep> {
  return {
    adjust: async () => {
      const value = { date: at.someDay(), amount: at.upTo(3000) * (at.random() < 0.35 ? -1 : 1) };
      const answer = await at.on.adjust(inUnits(value.amount), { date: value.date });
      const expected = at.changed((next, id) => next.adjustments.set(id, value));
      return { what: `adjust ${JSON.stringify(value)}`, answer, expected };
    },
    changeAdjustment: async () => {
      const [id, was] = at.one([...at.model.adjustments]) ?? [];
      if (id === undefined || !was) return null;
      const value = { date: at.someDay(), amount: was.amount + at.upTo(3000) - 1500 };
      if (value.amount === 0) return null;
      const sent = { date: value.date, amount: inUnits(value.amount) };
      const answer = await at.sandbox.patch(`/credit_balance_adjustments/${id}`, sent);
      const expected = at.changed((next) => next.adjustments.set(id, value));
      return { what: `adjustment ${id} becomes ${JSON.stringify(value)}`, answer, expected };
    },
    takeBack: async () => {
      const [id] = at.one([...at.model.adjustments]) ?? [];
      if (id === undefined) return null;
      const answer = await at.sandbox.delete(`/credit_balance_adjustments/${id}`);
      const expected = at.changed((next) => next.adjustments.delete(id));
      return { what: `adjustment ${id} is deleted`, answer, expected };
    },
    pay: async () => {
      const value = { date: at.someDay(), amount: 0, parts: partsFor(at) };
      value.amount = value.parts.reduce((total, { amount }) => total + amount, 0) + at.upTo(300);
      const answer = await at.on.pay(inUnits(value.amount), value.parts.map(asSent), { date: value.date });
      const expected = at.changed((next, id) => next.payments.set(id, value));
      return { what: `pay ${JSON.stringify(value)}`, answer, expected };
    },
    changePayment: async () => {
      const [id, was] = at.one([...at.model.payments]) ?? [];
      if (id === undefined || !was) return null;
      const kept = was.parts.filter(() => at.random() < 0.6);
      const all = [...kept, ...partsFor(at).filter((made) => !kept.some((other) => isSameKind(made, other)))];
      const extra = at.random() < 0.5 ? 0 : at.upTo(500);
      const amount =
        Math.max(
          was.amount,
          all.reduce((total, one) => total + one.amount, 0),
        ) + extra;
      const value = { date: at.random() < 0.5 ? was.date : at.someDay(), amount, parts: all };
      const sent = { amount: inUnits(amount), date: value.date, applied_to: all.map(asSent) };
      const answer = await at.sandbox.patch(`/payments/${id}`, sent);
      // Credit cannot turn into money: the product refuses to replace one by the other while the amount stays the same.
      const isPhantom = amount === was.amount && moneyOf(value) !== moneyOf(was);
      const expected = isPhantom ? (['money'] as const) : at.changed((next) => replacePayment(next, id, value));
      return { what: `payment ${id} becomes ${JSON.stringify(value)}`, answer, expected };
    },
    movePayment: async () => {
      const [id, was] = at.one([...at.model.payments].filter(([, { parts }]) => parts.some(touches))) ?? [];
      if (id === undefined || !was) return null;
      const value = { ...was, date: at.someDay() };
      const answer = await at.sandbox.patch(`/payments/${id}`, { date: value.date });
      return {
        what: `payment ${id} is dated ${value.date}`,
        answer,
        expected: at.changed((next) => next.payments.set(id, value)),
      };
    },
    voidPayment: async () => {
      const [id] = at.one([...at.model.payments]) ?? [];
      if (id === undefined) return null;
      const answer = await at.sandbox.delete(`/payments/${id}`);
      const expected = at.changed((next) => replacePayment(next, id, null));
      return { what: `payment ${id} is voided`, answer, expected };
    },
  };
}

/** A random part of a payment. Its amount may exceed what is available. */
function partFor(at: CreditWalker): ModelPart | null {
  const invoice = at.one([...at.model.invoices].filter(([, { voided }]) => !voided))?.[0];
  const note = at.one([...at.model.notes].filter(([, { state }]) => state === 'open'))?.[0];
  const amount = at.upTo(2500);
  const kind = at.upTo(7);
  if (kind === 1) return { type: 'credit', amount };
  if (kind === 2 && note !== undefined) return { type: 'credit', amount, note };
  if (invoice === undefined) return null;
  if (kind <= 4) return { type: 'applied_credit', amount, invoice };
  if (kind <= 6 && note !== undefined) return { type: 'credit_note', amount, invoice, note };
  return { type: 'invoice', amount, invoice };
}

function partsFor(at: CreditWalker): ModelPart[] {
  const made = [partFor(at), partFor(at)].filter((one) => one !== null);
  const keys = made.map(({ type, invoice, note }) => `${type} ${invoice} ${note}`);
  return made.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

const asSent = ({ type, amount, invoice, note }: ModelPart) => {
  const of = { ...(invoice === undefined ? {} : { invoice }), ...(note === undefined ? {} : { credit_note: note }) };
  return { type, amount: inUnits(amount), ...of };
};

const touches = ({ type }: ModelPart) => type === 'credit' || type === 'applied_credit';

function isSameKind(one: ModelPart, other: ModelPart): boolean {
  return one.type === other.type && one.invoice === other.invoice && one.note === other.note;
}

/** Replaces or deletes a payment. A credit note that gets an amount back is open again, even if it was closed. */
function replacePayment(next: Model, id: number, value: Parameters<Model['payments']['set']>[1] | null): void {
  const before = next.payments.get(id)?.parts ?? [];
  const isKept = (part: ModelPart) =>
    value?.parts.some((other) => isSameKind(part, other) && part.amount === other.amount) ?? false;
  for (const part of before.filter((one) => !isKept(one))) {
    const note = part.note === undefined ? undefined : next.notes.get(part.note);
    if (part.note !== undefined && note) next.notes.set(part.note, { ...note, state: 'open' });
    if (part.invoice !== undefined) next.takenBack.add(part.invoice);
  }
  if (value) next.payments.set(id, value);
  else next.payments.delete(id);
}
