import type { Client } from '../../client/index.ts';
import { useFormats } from '../formats.ts';
import { currenciesIn } from '../forms/codes.ts';
import type { Editor, FormField, Section } from '../forms/field.ts';
import { customerFinder, useCustomFields } from '../forms/options.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { useFormWords, useWords } from '../words.ts';
import { useReceivingWords } from './words.ts';

/** How most money comes in that somebody enters. */
const USUAL_METHOD = 'wire_transfer';

/** How payments are recorded and changed. */
export const paymentEditor: Editor = {
  useSections,
  create: (api, body) => api.full('post', '/payments', Object.assign({ amount: 0 }, body)),
  change: (api, id, body) => api.full('patch', '/payments/{id}', Object.assign({}, body), { id: Number(id) }),
  like: (other) => (textOf(other, 'object') === 'invoice' ? ofInvoice(other) : { method: USUAL_METHOD }),
};

/** A payment of all that an invoice owes. */
const ofInvoice = ({ id, customer, currency, balance }: Row): Row => ({
  customer,
  currency,
  method: USUAL_METHOD,
  amount: balance,
  applied_to: [{ type: 'invoice', invoice: id, amount: balance }],
});

/** The payment as a request would leave it, and its invoices before and after. Nothing is stored. */
export const foreseePayment = (api: Client, { id, body }: { id: string | null; body: object }) => {
  const query = { dry_run: true as const };
  return id === null
    ? api.post('/payments', Object.assign({ amount: 0 }, body), query)
    : api.patch('/payments/{id}', Object.assign({}, body), { id: Number(id), ...query });
};

export type ForeseenPayment = Awaited<ReturnType<typeof foreseePayment>>;

/** The field for the invoices that a payment pays. */
export const appliedField = (label: string, about: Row | null): FormField => ({
  name: 'applied_to',
  label,
  kind: 'applied',
  isWide: true,
  ...(about ? { about } : {}),
});

/** The field for the customer who paid. */
export function usePayerField(): FormField {
  const { fields } = useWords();
  const { notKnown, payerHint } = useReceivingWords();
  const finder = customerFinder(null);
  return { name: 'customer', label: fields.customer, kind: 'reference', none: notKnown, hint: payerHint, finder };
}

function useSections(row: Row | null): readonly Section[] | null {
  const { fields, choices } = useWords();
  const words = useReceivingWords();
  const { metadata, metadataHint } = useFormWords();
  const { language } = useFormats();
  const custom = useCustomFields('payment');
  const payer = usePayerField();
  if (custom === null) return null;
  const methods = Object.entries(choices.method).map(([id, name]) => ({ id, name }));
  const currencies = currenciesIn(language);
  const isCharged = row !== null && row.charge !== null;
  const money: FormField[] = [
    payer,
    { name: 'amount', label: fields.amount, kind: 'money', isRequired: true },
    {
      name: 'currency',
      label: fields.currency,
      kind: 'choice',
      none: words.ofCustomer,
      choices: currencies,
    },
    { name: 'date', label: fields.date, kind: 'day', hint: words.today },
    { name: 'method', label: fields.method, kind: 'choice', isRequired: true, choices: methods, initial: USUAL_METHOD },
  ];
  const texts: FormField[] = [{ name: 'reference', label: fields.reference, kind: 'text' }];
  return [
    { title: words.received, fields: isCharged ? texts : [...money, ...texts] },
    { title: words.appliedTo, fields: [appliedField(words.appliedTo, row)] },
    {
      title: fields.notes,
      isFolded: true,
      fields: [
        ...custom,
        { name: 'notes', label: fields.notes, kind: 'textarea' },
        { name: 'metadata', label: metadata, kind: 'pairs', hint: metadataHint },
      ],
    },
  ];
}
