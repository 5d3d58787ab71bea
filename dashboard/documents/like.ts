import type { Row } from '../kinds/kind.ts';

export type DocumentList = 'invoices' | 'estimates' | 'credit_notes';

/** What a new document takes of another one. Its number and its days are its own; a credit note names the invoice that it corrects. */
export function likeOther(list: DocumentList, other: Row): Row {
  const { number: _number, date: _date, due_date: _due, expiration_date: _until, id, object, items, ...rest } = other;
  const ofInvoice = list === 'credit_notes' && object === 'invoice';
  const { name, payment_terms: terms, attachments, ...kept } = rest;
  return {
    ...kept,
    ...(ofInvoice ? { invoice: id } : { name, attachments, payment_terms: terms }),
    items: withoutIds(items),
    discounts: withoutIds(rest.discounts),
    taxes: withoutIds(rest.taxes),
  };
}

/** Lines, discounts and taxes of a new document are new. */
function withoutIds(value: unknown): unknown {
  const all: unknown[] = Array.isArray(value) ? value : [];
  return all.map((one) => {
    if (typeof one !== 'object' || one === null) return one;
    const { id: _, discounts, taxes, ...rest }: Row = { ...one };
    return { ...rest, discounts: withoutIds(discounts), taxes: withoutIds(taxes) };
  });
}
