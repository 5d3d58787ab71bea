import { invoiceBalance, type ModelPart, noteBalance } from './creditModel.ts';
import { type CreditStep, type CreditWalker, inUnits, type Reason } from './creditStep.ts';

/** Random steps on invoices and credit notes, including the credit that they use. */
export function creditDocumentSteps(at: CreditWalker): Record<string, CreditStep> {
  return {
    issueInvoice: async () => {
      const total = at.upTo(at.applies ? 4000 : 20_000);
      const dueAt = at.now + at.upTo(30) * 86_400;
      const items = [{ unit_cost: inUnits(total) }];
      const answer = await at.sandbox.post('/invoices', { customer: at.on.customer, items, due_date: dueAt });
      const expected = at.changed((next, id) => next.invoices.set(id, { total, voided: false, dueAt }));
      return { what: `invoice over ${total}`, answer, expected };
    },
    voidInvoice: async () => {
      const [id, invoice] = at.one([...at.model.invoices].filter(([, { voided }]) => !voided)) ?? [];
      if (id === undefined || !invoice) return null;
      const answer = await at.sandbox.post(`/invoices/${id}/void`);
      const isCorrected = [...at.model.notes.values()].some((note) => note.corrects === id && note.state !== 'voided');
      const reasons: Reason[] = [];
      if (invoiceBalance(at.model, id) < invoice.total) reasons.push('invoicePaid');
      if (isCorrected) reasons.push('invoiceCorrected');
      const voided = at.changed((next) => next.invoices.set(id, { ...invoice, voided: true }));
      const expected = reasons.length > 0 ? reasons : voided;
      return { what: `invoice ${id} is voided`, answer, expected };
    },
    issueNote: async () => {
      const total = at.upTo(3000);
      const answer = await at.on.note(inUnits(total));
      const expected = at.changed((next, id) => next.notes.set(id, { total, state: 'open' }));
      return { what: `credit note over ${total}`, answer, expected };
    },
    correctInvoice: async () => {
      const [invoice] = at.one([...at.model.invoices].filter(([, { voided }]) => !voided)) ?? [];
      if (invoice === undefined || at.random() < 0.5) return null;
      const total = at.upTo(3000);
      const answer = await at.on.note(inUnits(total), { invoice });
      const [paid] = await at.on.rows(
        'select max(payment_id) as id from payment_application where credit_note_id = ?',
        [answer.body.id ?? 0],
      );
      const credited = [...at.model.notes.values()].filter((one) => one.corrects === invoice && one.state !== 'voided');
      const most = at.model.invoices.get(invoice)?.total ?? 0;
      const isTooMuch = credited.reduce((sum, one) => sum + one.total, total) > most;
      const issued = at.changed((next, note) => {
        next.notes.set(note, { total, state: 'open', corrects: invoice });
        const first = Math.min(total, invoiceBalance(next, invoice));
        const made: ModelPart[] = [
          { type: 'credit_note', amount: first, invoice, note },
          { type: 'credit', amount: total - first, note },
        ];
        const parts = made.filter(({ amount }) => amount > 0);
        next.payments.set(Number(paid?.id ?? -2), { date: at.now, amount: total, parts });
      });
      const expected = isTooMuch ? (['invoiceCredited'] as const) : issued;
      return { what: `credit note over ${total} for invoice ${invoice}`, answer, expected };
    },
    closeNote: async () => {
      const left = [...at.model.notes].filter(([id, { state }]) => state !== 'voided' && noteBalance(at.model, id) > 0);
      const applied = left.filter(([id, { total }]) => noteBalance(at.model, id) < total);
      const [id, note] = at.one(applied.length > 0 ? applied : left) ?? [];
      if (id === undefined || !note) return null;
      const isClosed = note.state === 'open';
      const answer = await at.sandbox.patch(`/credit_notes/${id}`, { closed: isClosed });
      const state = isClosed ? ('closed' as const) : ('open' as const);
      const expected = at.changed((next) => next.notes.set(id, { ...note, state }));
      return { what: `credit note ${id} is ${state}`, answer, expected };
    },
    voidNote: async () => {
      const [id, note] = at.one([...at.model.notes].filter(([, { state }]) => state !== 'voided')) ?? [];
      if (id === undefined || !note) return null;
      const answer = await at.sandbox.post(`/credit_notes/${id}/void`);
      const isFree = noteBalance(at.model, id) === note.total;
      const expected = isFree
        ? at.changed((next) => next.notes.set(id, { ...note, state: 'voided' }))
        : (['noteApplied'] as const);
      return { what: `credit note ${id} is voided`, answer, expected };
    },
  };
}
