import {
  faultsOf,
  invoiceBalance,
  type Model,
  type ModelPart,
  type ModelPayment,
  moneyOf,
  noteBalance,
  spendableAt,
} from './creditModel.ts';
import type { Credits } from './credits.ts';

/** Steps after which no credit is left beside an open invoice from which nothing was taken back. */
const SPENDS = new Set(['adjust', 'issueNote', 'correctInvoice']);

interface Step {
  name: string;
  before: Model;
  /** After the step, without the payments that credit made by itself. They are added. */
  model: Model;
  now: number;
}

/** Adds the payments that credit made by itself in a step to the model. Returns what is wrong with them. */
export async function followCredit(on: Credits, { name, before, model, now }: Step): Promise<string[]> {
  const made = await madeByCredit(on, model);
  for (const [id, payment] of made) model.payments.set(id, payment);
  const parts = made.flatMap(([, payment]) => payment.parts);
  const paid = new Set(parts.flatMap(({ invoice }) => invoice ?? []));
  const free = [...model.invoices.keys()].filter((id) => !model.takenBack.has(id));
  const open = free.filter((id) => invoiceBalance(model, id) > 0);
  const isNew = (id: number) => !before.invoices.has(id);
  const eligible = name === 'issueInvoice' ? open.filter(isNew) : SPENDS.has(name) ? open : [];
  const dueAt = (id: number) => model.invoices.get(id)?.dueAt ?? 0;
  const notes = [...model.notes].filter(([, { state }]) => state === 'open').map(([id]) => id);
  const left = notes.filter((id) => noteBalance(model, id) > 0);
  const used = new Set(parts.flatMap(({ note }) => note ?? []));
  const isLatePaid = name !== 'issueInvoice' && open.some((id) => [...paid].some((other) => dueAt(other) > dueAt(id)));
  const isLateUsed = [...paid].every((id) => free.includes(id)) && left.some((id) => [...used].some((one) => one > id));
  return [
    ...faultsOf(model).map((fault) => `${fault} below zero`),
    ...(made.some(([, payment]) => moneyOf(payment) !== 0) ? ['money without a receipt'] : []),
    ...(made.some(([, { date }]) => date !== now) ? ['another date'] : []),
    ...(eligible.length > 0 && (left.length > 0 || spendableAt(model, now) > 0) ? ['credit is left'] : []),
    ...(isLatePaid ? ['a later due date is paid first'] : []),
    ...(isLateUsed ? ['a later credit note is used first'] : []),
  ];
}

/** The payments that the model does not know, by id. */
async function madeByCredit(on: Credits, model: Model): Promise<[number, ModelPayment][]> {
  const rows = await on.rows(
    `select p.id, extract(epoch from p.date)::float8 as date, p.amount::float8 as amount, a.type, a.amount::float8 as part,
       a.invoice_id as invoice, a.credit_note_id as note
     from payment p join payment_application a on a.account_id = p.account_id and a.payment_id = p.id
     where p.customer_id = ? and p.id <> all(?::int[]) order by a.id`,
    [on.customer, `{${[...model.payments.keys()].join()}}`],
  );
  const cents = (amount: unknown) => Math.round(Number(amount) * 100);
  const groups = [...Map.groupBy(rows, ({ id }) => Number(id))];
  return groups.map(([id, own]) => {
    const parts = own.map(({ type, part, invoice, note }): ModelPart => {
      const of = { ...(invoice ? { invoice: Number(invoice) } : {}), ...(note ? { note: Number(note) } : {}) };
      return { type: type === 'credit_note' ? 'credit_note' : 'applied_credit', amount: cents(part), ...of };
    });
    return [id, { date: Number(own[0]?.date), amount: cents(own[0]?.amount), parts }];
  });
}
