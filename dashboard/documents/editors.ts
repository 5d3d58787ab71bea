import type { Client } from '../../client/index.ts';
import { useFormats } from '../formats.ts';
import { countriesIn, currenciesIn } from '../forms/codes.ts';
import type { Editor, FormField, Section } from '../forms/field.ts';
import { customerFinder, invoiceFinder, TERMS, useCustomFields } from '../forms/options.ts';
import type { Row } from '../kinds/kind.ts';
import { useFormWords, useWords } from '../words.ts';
import { type DocumentList, likeOther } from './like.ts';
import { useInvoicingWords } from './words.ts';

export type { DocumentList };

/** How documents of a list are made and changed. */
export function documentEditor(list: DocumentList): Editor {
  return {
    useSections: (row) => useSections(list, row),
    useSaves,
    useWatched,
    whole: withFiles,
    like: (other) => likeOther(list, other),
    create: (api, body) => api.full('post', `/${list}`, Object.assign({ customer: 0 }, body)),
    change: (api, id, body) => api.full('patch', `/${list}/{id}`, Object.assign({}, body), { id: Number(id) }),
  };
}

/** A document with its files, where the person may read them: the API lists these apart. */
async function withFiles({ api, can }: Parameters<Required<Editor>['whole']>[0], row: Row): Promise<Row> {
  const id = Number(row.id);
  if (!can('documents.read')) return row;
  const attachments = await (row.object === 'invoice'
    ? api.get('/invoices/{invoice_id}/attachments', { invoice_id: id, per_page: 100 })
    : row.object === 'estimate'
      ? api.get('/estimates/{estimate_id}/attachments', { estimate_id: id, per_page: 100 })
      : api.get('/credit_notes/{credit_note_id}/attachments', { credit_note_id: id, per_page: 100 }));
  return { ...row, attachments: attachments.map(({ file }) => ({ id: file.id, name: file.name })) };
}

/** Somebody who changes an issued document is told that it was paid meanwhile. */
function useWatched(row: Row | null): readonly FormField[] {
  const { fields } = useWords();
  return row === null || row.draft === true ? [] : [{ name: 'balance', label: fields.balance, kind: 'money' }];
}

/** A draft is issued, or saved as it is. */
function useSaves(row: Row | null) {
  const words = useInvoicingWords();
  const { save } = useWords();
  if (row === null)
    return [
      { label: words.issue, adds: {} },
      { label: words.saveDraft, adds: { draft: true } },
    ];
  if (row.draft !== true) return [{ label: save, adds: {} }];
  return [
    { label: words.issue, adds: { draft: false } },
    { label: words.saveDraft, adds: {} },
  ];
}

interface Foreseeing {
  list: DocumentList;
  /** Null: a new document. */
  id: string | null;
  body: Record<string, unknown>;
  isPictured: boolean;
}

/** The document as it would be after a request, and the picture of its pages. Nothing is stored. */
export async function foresee(
  api: Client,
  { list, id, body, isPictured }: Foreseeing,
): Promise<{ document: Row; svg: string | null }> {
  const query = { dry_run: true as const, picture: isPictured };
  const answer: object = await (id === null
    ? api.post(`/${list}`, Object.assign({ customer: 0 }, body), query)
    : api.patch(`/${list}/{id}`, Object.assign({}, body), { id: Number(id), ...query }));
  const [document, picture] = ['invoice', 'estimate', 'credit_note', 'picture'].flatMap((name): Row[] => {
    const part = new Map<string, unknown>(Object.entries(answer)).get(name);
    return typeof part === 'object' && part !== null ? [{ ...part }] : [];
  });
  return { document: document ?? {}, svg: typeof picture?.svg === 'string' ? picture.svg : null };
}

/** Types of the documents, as custom fields name what they belong to. */
const TYPES = { invoices: 'invoice', estimates: 'estimate', credit_notes: 'credit_note' } as const;

function useSections(list: DocumentList, row: Row | null): readonly Section[] | null {
  const { fields } = useWords();
  const words = useInvoicingWords();
  const { customer: address, metadata, metadataHint } = useFormWords();
  const { language } = useFormats();
  const custom = useCustomFields(TYPES[list]);
  const head = useHead(list, row);
  if (custom === null) return null;
  const deposit: FormField = { name: 'deposit', label: fields.deposit, kind: 'money', hint: words.depositHint };
  const attachments: FormField = { name: 'attachments', label: words.attachments, kind: 'files', isWide: true };
  const shipTo: FormField[] = [
    { name: 'ship_to[name]', label: words.recipientName, kind: 'text' },
    { name: 'ship_to[attention_to]', label: fields.attention_to, kind: 'text' },
    { name: 'ship_to[address1]', label: address.address1, kind: 'text' },
    { name: 'ship_to[address2]', label: address.address2, kind: 'text' },
    { name: 'ship_to[postal_code]', label: address.postalCode, kind: 'text' },
    { name: 'ship_to[city]', label: address.city, kind: 'text' },
    { name: 'ship_to[state]', label: address.state, kind: 'text' },
    { name: 'ship_to[country]', label: fields.country, kind: 'choice', choices: countriesIn(language) },
  ];
  return [
    { title: words.head, fields: head },
    { title: words.lines, fields: [{ name: 'items', label: words.lines, kind: 'lines', isWide: true }] },
    {
      title: words.adjustments,
      fields: [
        { name: 'discounts', label: words.discounts, kind: 'coupon' },
        { name: 'taxes', label: words.taxes, kind: 'tax_rate' },
        ...(list === 'estimates' ? [deposit] : []),
      ],
    },
    ...(list === 'credit_notes' ? [] : [{ title: words.shipTo, isFolded: true, fields: shipTo }]),
    {
      title: words.further,
      isFolded: true,
      fields: [
        { name: 'name', label: words.title, kind: 'text' },
        { name: 'number', label: words.number, kind: 'text', hint: words.numberHint },
        ...custom,
        ...(row === null || row.attachments !== undefined ? [attachments] : []),
        { name: 'notes', label: fields.notes, kind: 'textarea' },
        { name: 'metadata', label: metadata, kind: 'pairs', hint: metadataHint },
      ],
    },
  ];
}

/** Whom it is for, when, and on which terms. An issued document keeps its customer and its currency. */
function useHead(list: DocumentList, row: Row | null): readonly FormField[] {
  const { fields, yes, no } = useWords();
  const words = useInvoicingWords();
  const { language } = useFormats();
  const isDraft = row === null || row.draft === true;
  const automatic = { name: 'autopay', label: fields.autopay };
  const answers = [
    { id: 'true', name: yes },
    { id: 'false', name: no },
  ];
  const customer: FormField = {
    name: 'customer',
    label: fields.customer,
    kind: 'reference',
    isRequired: true,
    isWide: true,
    none: words.choose,
    finder: customerFinder(null),
  };
  const invoice: FormField = {
    name: 'invoice',
    label: words.forInvoice,
    kind: 'reference',
    none: words.noInvoice,
    finder: invoiceFinder,
  };
  const currency: FormField = {
    name: 'currency',
    label: fields.currency,
    kind: 'choice',
    none: words.ofCustomer,
    choices: currenciesIn(language),
  };
  const terms: FormField = {
    name: 'payment_terms',
    label: fields.payment_terms,
    kind: 'text',
    proposals: TERMS,
    hint: words.ofCustomer,
  };
  const autopay: FormField =
    row === null
      ? { ...automatic, kind: 'choice', isFlag: true, none: words.ofCustomer, choices: answers }
      : { ...automatic, kind: 'flag' };
  const due: FormField = { name: 'due_date', label: fields.due_date, kind: 'day', hint: words.ofTerms };
  const expiration: FormField = { name: 'expiration_date', label: fields.expiration_date, kind: 'day' };
  return [
    ...(isDraft ? [customer] : []),
    ...(list === 'credit_notes' && isDraft ? [invoice] : []),
    ...(isDraft ? [currency] : []),
    { name: 'date', label: fields.date, kind: 'day' },
    ...(list === 'invoices' ? [due] : []),
    ...(list === 'estimates' ? [expiration] : []),
    ...(list === 'credit_notes' ? [] : [terms]),
    ...(list === 'invoices' ? [autopay] : []),
    { name: 'purchase_order', label: fields.purchase_order, kind: 'text' },
  ];
}
