import type { Answer } from './api.ts';
import {
  copyOf,
  emptyModel,
  isSound,
  leftOf,
  type Model,
  type ModelPart,
  moneyOf,
  owedOf,
  partsAtIssue,
} from './creditModel.ts';
import type { Credits } from './credits.ts';

const DAY = 86_400;

/** One random thing that somebody does. `expected`: what the model makes of it; null: it is refused. */
interface Step {
  what: string;
  answer: Answer;
  /** The model afterwards; `id` is what the product has made. */
  expected: ((id: number) => Model) | null;
}

/** Does random things to one customer's credit, which pays invoices at their issue if it `applies`, and answers each with what should have come of it. */
export function creditWalk(on: Credits, how: { seed: number; now: number; applies: boolean }) {
  const { seed, now, applies } = how;
  let model = emptyModel();
  const random = randomOf(seed);
  const upTo = (most: number) => Math.floor(random() * most) + 1;
  const one = <Value>(values: readonly Value[]): Value | undefined => values[Math.floor(random() * values.length)];
  const someDay = () => now + (Math.floor(random() * 8) - 5) * DAY; // five days ago to two ahead
  const { sandbox } = on.api;
  const inUnits = (cents: number) => cents / 100;

  /** Something that a payment may do, more than there is among it. */
  function part(): ModelPart | null {
    const invoice = one([...model.invoices].filter(([, { voided }]) => !voided))?.[0];
    const note = one([...model.notes].filter(([, { state }]) => state === 'open'))?.[0];
    const amount = upTo(2500);
    const kind = upTo(7);
    if (kind === 1) return { type: 'credit', amount };
    if (kind === 2 && note !== undefined) return { type: 'credit', amount, note };
    if (invoice === undefined) return null;
    if (kind <= 4) return { type: 'applied_credit', amount, invoice };
    if (kind <= 6 && note !== undefined) return { type: 'credit_note', amount, invoice, note };
    return { type: 'invoice', amount, invoice };
  }

  function parts(): ModelPart[] {
    const made = [part(), part()].filter((one) => one !== null);
    const keys = made.map(({ type, invoice, note }) => `${type} ${invoice} ${note}`);
    return made.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
  }

  const asSent = ({ type, amount, invoice, note }: ModelPart) => {
    const of = { ...(invoice === undefined ? {} : { invoice }), ...(note === undefined ? {} : { credit_note: note }) };
    return { type, amount: inUnits(amount), ...of };
  };

  /** The model with a change, if that is sound. */
  function changed(change: (next: Model, id: number) => void): Step['expected'] {
    const tried = copyOf(model);
    change(tried, -1);
    if (!isSound(tried)) return null;
    return (id) => {
      const next = copyOf(model);
      change(next, id);
      return next;
    };
  }

  const steps: Record<string, () => Promise<Step | null>> = {
    adjust: async () => {
      const value = { date: someDay(), amount: upTo(3000) * (random() < 0.35 ? -1 : 1) };
      const answer = await on.adjust(inUnits(value.amount), { date: value.date });
      const expected = changed((next, id) => next.adjustments.set(id, value));
      return { what: `adjust ${JSON.stringify(value)}`, answer, expected };
    },
    changeAdjustment: async () => {
      const [id, was] = one([...model.adjustments]) ?? [];
      if (id === undefined || !was) return null;
      const value = { date: someDay(), amount: was.amount + upTo(3000) - 1500 };
      if (value.amount === 0) return null;
      const sent = { date: value.date, amount: inUnits(value.amount) };
      const answer = await sandbox.patch(`/credit_balance_adjustments/${id}`, sent);
      const expected = changed((next) => next.adjustments.set(id, value));
      return { what: `adjustment ${id} becomes ${JSON.stringify(value)}`, answer, expected };
    },
    takeBack: async () => {
      const [id] = one([...model.adjustments]) ?? [];
      if (id === undefined) return null;
      const answer = await sandbox.delete(`/credit_balance_adjustments/${id}`);
      const expected = changed((next) => next.adjustments.delete(id));
      return { what: `adjustment ${id} is deleted`, answer, expected };
    },
    pay: async () => {
      const value = { date: someDay(), amount: 0, parts: parts() };
      value.amount = value.parts.reduce((total, { amount }) => total + amount, 0) + upTo(300);
      const answer = await on.pay(inUnits(value.amount), value.parts.map(asSent), { date: value.date });
      const expected = changed((next, id) => next.payments.set(id, value));
      return { what: `pay ${JSON.stringify(value)}`, answer, expected };
    },
    changePayment: async () => {
      const [id, was] = one([...model.payments]) ?? [];
      if (id === undefined || !was) return null;
      const kept = was.parts.filter(() => random() < 0.6);
      const all = [...kept, ...parts().filter((made) => !kept.some((other) => isSameKind(made, other)))];
      const extra = random() < 0.5 ? 0 : upTo(500);
      const amount =
        Math.max(
          was.amount,
          all.reduce((total, one) => total + one.amount, 0),
        ) + extra;
      const value = { date: random() < 0.5 ? was.date : someDay(), amount, parts: all };
      const sent = { amount: inUnits(amount), date: value.date, applied_to: all.map(asSent) };
      const answer = await sandbox.patch(`/payments/${id}`, sent);
      // Credit becomes no money by itself.
      const isPhantom = amount === was.amount && moneyOf(value) !== moneyOf(was);
      const expected = isPhantom ? null : changed((next) => replacePayment(next, id, value));
      return { what: `payment ${id} becomes ${JSON.stringify(value)}`, answer, expected };
    },
    movePayment: async () => {
      const [id, was] = one([...model.payments].filter(([, { parts }]) => parts.some(touches))) ?? [];
      if (id === undefined || !was) return null;
      const value = { ...was, date: someDay() };
      const answer = await sandbox.patch(`/payments/${id}`, { date: value.date });
      return {
        what: `payment ${id} is dated ${value.date}`,
        answer,
        expected: changed((next) => next.payments.set(id, value)),
      };
    },
    voidPayment: async () => {
      const [id] = one([...model.payments]) ?? [];
      if (id === undefined) return null;
      const answer = await sandbox.delete(`/payments/${id}`);
      const expected = changed((next) => replacePayment(next, id, null));
      return { what: `payment ${id} is voided`, answer, expected };
    },
    issueInvoice: async () => {
      const total = upTo(20_000);
      const { body, ...rest } = await sandbox.post('/invoices', {
        ...{ customer: on.customer, items: [{ unit_cost: inUnits(total) }] },
      });
      const [paid] = await on.rows('select max(payment_id) as id from payment_application where invoice_id = ?', [
        body.id,
      ]);
      const expected = changed((next, id) => {
        const pays = applies ? partsAtIssue(next, { invoice: id, total, now }) : [];
        next.invoices.set(id, { total, voided: false });
        const amount = pays.reduce((sum, one) => sum + one.amount, 0);
        if (pays.length > 0) next.payments.set(Number(paid?.id ?? -2), { date: now, amount, parts: pays });
      });
      return { what: `invoice over ${total}`, answer: { ...rest, body }, expected };
    },
    voidInvoice: async () => {
      const [id, invoice] = one([...model.invoices].filter(([, { voided }]) => !voided)) ?? [];
      if (id === undefined || !invoice) return null;
      const answer = await sandbox.post(`/invoices/${id}/void`);
      const isCorrected = [...model.notes.values()].some((note) => note.corrects === id && note.state !== 'voided');
      const isFree = owedOf(model, id) === invoice.total && !isCorrected;
      const expected = isFree ? changed((next) => next.invoices.set(id, { ...invoice, voided: true })) : null;
      return { what: `invoice ${id} is voided`, answer, expected };
    },
    issueNote: async () => {
      const total = upTo(3000);
      const answer = await on.note(inUnits(total));
      const expected = changed((next, id) => next.notes.set(id, { total, state: 'open' }));
      return { what: `credit note over ${total}`, answer, expected };
    },
    correctInvoice: async () => {
      const [invoice] = one([...model.invoices].filter(([, { voided }]) => !voided)) ?? [];
      if (invoice === undefined || random() < 0.5) return null;
      const total = upTo(3000);
      const answer = await on.note(inUnits(total), { invoice });
      const [paid] = await on.rows('select max(payment_id) as id from payment_application where credit_note_id = ?', [
        answer.body.id ?? 0,
      ]);
      const expected = changed((next, note) => {
        next.notes.set(note, { total, state: 'open', corrects: invoice });
        const first = Math.min(total, owedOf(next, invoice));
        const made: ModelPart[] = [
          { type: 'credit_note', amount: first, invoice, note },
          { type: 'credit', amount: total - first, note },
        ];
        const parts = made.filter(({ amount }) => amount > 0);
        next.payments.set(Number(paid?.id ?? -2), { date: now, amount: total, parts });
      });
      return { what: `credit note over ${total} for invoice ${invoice}`, answer, expected };
    },
    closeNote: async () => {
      const left = [...model.notes].filter(([id, { state }]) => state !== 'voided' && leftOf(model, id) > 0);
      const applied = left.filter(([id, { total }]) => leftOf(model, id) < total);
      const [id, note] = one(applied.length > 0 ? applied : left) ?? [];
      if (id === undefined || !note) return null;
      const isClosed = note.state === 'open';
      const answer = await sandbox.patch(`/credit_notes/${id}`, { closed: isClosed });
      const state = isClosed ? ('closed' as const) : ('open' as const);
      const expected = changed((next) => next.notes.set(id, { ...note, state }));
      return { what: `credit note ${id} is ${state}`, answer, expected };
    },
    voidNote: async () => {
      const [id, note] = one([...model.notes].filter(([, { state }]) => state !== 'voided')) ?? [];
      if (id === undefined || !note) return null;
      const answer = await sandbox.post(`/credit_notes/${id}/void`);
      const isFree = leftOf(model, id) === note.total;
      const expected = isFree ? changed((next) => next.notes.set(id, { ...note, state: 'voided' })) : null;
      return { what: `credit note ${id} is voided`, answer, expected };
    },
  };

  return {
    model: () => model,
    /** Does one thing; answers what it was, what came of it, and whether that was to be. */
    async step(): Promise<{ what: string; status: number; message: string; isExpected: boolean }> {
      for (;;) {
        const name = one(Object.keys(steps)) ?? '';
        const done = await steps[name]?.();
        if (!done) continue;
        const { what, answer, expected } = done;
        const isDone = answer.status < 300;
        if (isDone && expected) model = expected(answer.body?.id ?? -1);
        const isExpected = isDone ? expected !== null : answer.status === 400 && expected === null;
        return { what, status: answer.status, message: answer.body?.message ?? '', isExpected };
      }
    },
  };
}

const touches = ({ type }: ModelPart) => type === 'credit' || type === 'applied_credit';

function isSameKind(one: ModelPart, other: ModelPart): boolean {
  return one.type === other.type && one.invoice === other.invoice && one.note === other.note;
}

/** What comes off a closed credit note opens it again. */
function replacePayment(next: Model, id: number, value: Parameters<Model['payments']['set']>[1] | null): void {
  const before = next.payments.get(id)?.parts ?? [];
  const isKept = (part: ModelPart) =>
    value?.parts.some((other) => isSameKind(part, other) && part.amount === other.amount) ?? false;
  for (const part of before.filter((one) => !isKept(one))) {
    const note = part.note === undefined ? undefined : next.notes.get(part.note);
    if (part.note !== undefined && note) next.notes.set(part.note, { ...note, state: 'open' });
  }
  if (value) next.payments.set(id, value);
  else next.payments.delete(id);
}

/** Numbers from 0 to below 1, the same for a seed: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
