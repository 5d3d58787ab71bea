import type { AppliedDiscount, TaxRateSnapshot } from '../../../billing/documents/document.ts';
import type { BillToSnapshot, SellerSnapshot } from '../../../billing/documents/snapshot.ts';
import type { PdfTemplateFields } from '../../../billing/look/pdfTemplate.ts';
import type { EntityManager } from '../../orm.ts';
import type { ChargedSource, ChargeStatus, RefundCopy } from '../../schema/charge.ts';
import type { CreditNote } from '../../schema/creditNote.ts';
import type { Customer } from '../../schema/customer.ts';
import type { Estimate } from '../../schema/estimate.ts';
import type { Invoice } from '../../schema/invoice.ts';
import type { LogoType } from '../../schema/logo.ts';
import { Payment } from '../../schema/payment.ts';
import type { ApplicationType } from '../../schema/paymentApplication.ts';
import { Theme } from '../../schema/theme.ts';
import { themeSql } from '../catalog/themes.ts';
import { type Plain, plainReader, type RowClass, tableOf } from '../kernel/plain.ts';

interface Key {
  accountId: number;
  id: number;
}

/** A document with its seller and customer as they were when it was issued. */
export interface DocumentRow<Row> {
  row: Plain<Row>;
  /** Null: it has not been issued yet. */
  snapshot: { seller: SellerSnapshot; billTo: BillToSnapshot; language: string } | null;
  /** Whether a PDF of it is stored. */
  hasPdf: boolean;
  pdfProblem: PdfProblem | null;
  /** Null: the default one. */
  pdfTemplate: PdfTemplateFields | null;
}

/** The open problem of a PDF that could not be rendered. */
export interface PdfProblem {
  content: string | null;
  message: string;
  tries: number;
  /** Seconds since 1970. */
  nextTryAt: number;
}

/** Reads a document with its snapshot; null when there is none. */
export async function documentRow<Row extends Invoice | Estimate | CreditNote>(
  em: EntityManager,
  row: RowClass<Row>,
  { accountId, id }: Key,
): Promise<DocumentRow<Row> | null> {
  const { name } = tableOf(em, row);
  const [raw] = await em.execute<DocumentExtra[]>(
    `select document.*, snapshot.seller, snapshot.bill_to as "billTo", snapshot.language, ${HAS_PDF} as "hasPdf", ${PDF_PROBLEM} as "pdfProblem",
       ${PDF_TEMPLATE} as "pdfTemplate"
     from ${name} document
     left join snapshot on snapshot.account_id = document.account_id and snapshot.id = document.snapshot_id
     where document.account_id = ? and document.id = ? and document.deleted_at is null`,
    [name, pdfSubject(name), name, accountId, id],
  );
  if (!raw) return null;
  const { seller, billTo, language, hasPdf, pdfProblem, pdfTemplate } = raw;
  const snapshot = seller && billTo && language !== null ? { seller, billTo, language } : null;
  return { row: plainReader(em, row)(raw), snapshot, hasPdf, pdfProblem, pdfTemplate };
}

interface DocumentExtra {
  seller: SellerSnapshot | null;
  billTo: BillToSnapshot | null;
  language: string | null;
  hasPdf: boolean;
  pdfProblem: PdfProblem | null;
  pdfTemplate: PdfTemplateFields | null;
}

/** SQL for the row `document`. Parameter: its type. */
const HAS_PDF = `exists (select from document_pdf kept where kept.account_id = document.account_id
  and kept.document_type = ? and kept.document_id = document.id)`;

/** SQL for the row `document`. Parameter: the problem's subject. */
const PDF_PROBLEM = `(select json_build_object('content', problem.content, 'message', problem.message, 'tries', problem.tries,
    'nextTryAt', extract(epoch from problem.next_try_at))
  from problem where problem.account_id = document.account_id and problem.subject_type = ?
    and problem.subject_id = document.id and problem.closed_at is null)`;

/** SQL for the row `document`: the template that its customer names, else that of the account. Parameter: its kind of paper. */
const PDF_TEMPLATE = `(select json_build_object('layout', look.layout, 'paper', look.paper, 'columns', look.columns, 'blocks', look.blocks)
  from (select ?::text as kind) paper, lateral (
    select named.layout, named.paper, named.columns, named.blocks, 0 as place from customer payer
      join named_pdf_template named on named.account_id = payer.account_id and named.code = any(payer.pdf_templates)
      where payer.account_id = document.account_id and payer.id = document.customer_id and payer.pdf_templates <> '{}'
        and named.kind = paper.kind
    union all
    select own.layout, own.paper, own.columns, own.blocks, 1 from pdf_template own
      where own.account_id = document.account_id and own.kind = paper.kind) look order by look.place limit 1)`;

/** Subject type of a problem with the PDF of a document. */
export function pdfSubject(type: string): string {
  return `${type}_pdf`;
}

/** A part of a payment, with the numbers of its documents. */
export interface AppliedRow {
  type: ApplicationType;
  /** Decimal text. */
  amount: string;
  /** Number of the invoice or estimate that it pays. */
  number: string | null;
  isEstimate: boolean;
  /** Number of the credit note that pays. */
  creditNote: string | null;
  /** The invoice that it pays; null: it pays none. */
  invoice: AppliedInvoice | null;
  /** How the lines of that invoice come to its total; null: it pays none. */
  sums: AppliedSums | null;
}

/** An invoice that a payment pays. Amounts are decimal text. */
export interface AppliedInvoice {
  total: string;
  tax: string;
  /** Its first lines. */
  lines: { name: string | null; description: string | null; amount: string }[];
  /** Number of all its lines. */
  count: number;
}

/** How the lines of an invoice come to its total. Amounts are decimal text. */
export interface AppliedSums {
  /** The discounts of each of its first lines. */
  lineDiscounts: AppliedDiscount[][];
  /** All its lines less their own discounts. */
  subtotal: string;
  hasLineDiscounts: boolean;
  /** The lines that are not among the first ones, less their own discounts. */
  further: string;
  /** The discounts of the invoice. */
  discounts: AppliedDiscount[];
  /** Its taxes, those of its lines included, one for each rate. */
  taxes: { taxRate: TaxRateSnapshot | null; amount: string }[];
}

/** Invoices are read for at most this many applications, and of each invoice at most this many lines. */
const MOST_INVOICES = 20;
const MOST_LINES = 10;

/** SQL for the invoice of the row `part`. The nets of the lines and the taxes add up to the total. */
const APPLIED_INVOICE = `(select jsonb_build_object('total', invoice.total::text,
    'tax', (invoice.total - coalesce(sum(line.net), 0))::text, 'count', count(line.id),
    'lines', coalesce(jsonb_agg(jsonb_build_object('name', line.name, 'description', left(line.description, 255),
      'amount', line.amount::text) order by line.position) filter (where line.position < ${MOST_LINES}), '[]'))
  from line_item line where line.account_id = part.account_id and line.invoice_id = part.invoice_id)`;

/** SQL: what the row `line` comes to, less its own discounts. */
const LINE_SUM = `line.amount - coalesce((select sum((off->>'amount')::numeric) from jsonb_array_elements(line.discounts) off), 0)`;

/** SQL: the sums of the invoice of the row `part`. */
const APPLIED_SUMS = `(select jsonb_build_object('subtotal', coalesce(sum(${LINE_SUM}), 0)::text,
    'further', coalesce(sum(${LINE_SUM}) filter (where line.position >= ${MOST_LINES}), 0)::text,
    'hasLineDiscounts', coalesce(bool_or(line.discounts <> '[]'), false),
    'lineDiscounts', coalesce(jsonb_agg(line.discounts order by line.position) filter (where line.position < ${MOST_LINES}), '[]'),
    'discounts', invoice.discounts,
    'taxes', (select coalesce(jsonb_agg(jsonb_build_object('taxRate', rate, 'amount', amount::text) order by rate::text), '[]') from (
      select tax->'taxRate' as rate, sum((tax->>'amount')::numeric) as amount from (
        select jsonb_array_elements(invoice.taxes) as tax
        union all select jsonb_array_elements(taxed.taxes) from line_item taxed
        where taxed.account_id = part.account_id and taxed.invoice_id = part.invoice_id) taxes group by 1) by_rate))
  from line_item line where line.account_id = part.account_id and line.invoice_id = part.invoice_id)`;

/** The data of a payment that its receipt shows. */
export interface ReceiptRow {
  row: Plain<Payment>;
  /** Null: nobody knows who paid. */
  customer: PrintedCustomer | null;
  source: ChargedSource | null;
  /** Null: it was not processed. */
  chargeStatus: ChargeStatus | null;
  /** Its refunds. */
  refunds: RefundCopy[];
  /** The convenience fee of its charge; zero: none. */
  convenienceFee: string;
  /** Its applications, without the fee. */
  applied: AppliedRow[];
  hasPdf: boolean;
  pdfProblem: PdfProblem | null;
  /** Null: the default one. */
  pdfTemplate: PdfTemplateFields | null;
  /** The theme of its customer, or the default one; null: there is neither. */
  theme: Plain<Theme> | null;
}

/** The details of a customer that its papers show. */
export type PrintedCustomer = Pick<
  Plain<Customer>,
  | ('id' | 'number' | 'name' | 'email' | 'attentionTo' | 'language' | 'taxId' | 'taxable')
  | ('address1' | 'address2' | 'city' | 'state' | 'postalCode' | 'country')
>;

/** SQL: a PrintedCustomer from the row `customer`; null: nobody knows who paid. */
const PRINTED_CUSTOMER = `case when customer.id is not null then jsonb_build_object('id', customer.id, 'number', customer.number,
    'name', customer.name, 'email', customer.email, 'attentionTo', customer.attention_to, 'language', customer.language,
    'taxId', customer.tax_id, 'taxable', customer.taxable, 'address1', customer.address1, 'address2', customer.address2,
    'city', customer.city, 'state', customer.state, 'postalCode', customer.postal_code, 'country', customer.country) end`;

interface ReceiptExtra extends Omit<ReceiptRow, 'row' | 'source' | 'theme'> {
  chargedSource: ChargedSource | null;
  shownTheme: object | null;
}

/** SQL: the theme of the row `customer`, or the default one. */
const SHOWN_THEME = themeSql({ accountId: 'document.account_id', themeId: 'customer.theme_id' });

/** Reads a payment with its customer, its charged source, its applications and its theme; null when there is none. */
export async function receiptRow(em: EntityManager, { accountId, id }: Key): Promise<ReceiptRow | null> {
  const [raw] = await em.execute<ReceiptExtra[]>(
    `select document.*, charge.source as "chargedSource", charge.status as "chargeStatus", coalesce(charge.refunds, document.refunds) as refunds,
       coalesce(charge.convenience_fee, 0)::text as "convenienceFee", ${HAS_PDF} as "hasPdf",
       ${PDF_PROBLEM} as "pdfProblem", ${PDF_TEMPLATE} as "pdfTemplate", ${SHOWN_THEME} as "shownTheme",
       ${PRINTED_CUSTOMER} as customer, (
       select coalesce(jsonb_agg(jsonb_build_object(
         'type', part.type, 'amount', part.amount::text, 'creditNote', credit_note.number,
         'number', case when part.invoice_id is null then estimate.number else invoice.number end,
         'isEstimate', part.invoice_id is null and part.estimate_id is not null,
         'invoice', case when part.place <= ${MOST_INVOICES} and part.invoice_id is not null then ${APPLIED_INVOICE} end,
         'sums', case when part.place <= ${MOST_INVOICES} and part.invoice_id is not null then ${APPLIED_SUMS} end)
         order by part.id), '[]')
       from (select *, row_number() over (order by id) as place from payment_application
         where account_id = document.account_id and payment_id = document.id and type <> 'convenience_fee') part
       left join invoice on invoice.account_id = part.account_id and invoice.id = part.invoice_id
       left join estimate on estimate.account_id = part.account_id and estimate.id = part.estimate_id
       left join credit_note on credit_note.account_id = part.account_id and credit_note.id = part.credit_note_id) as applied
     from payment document
     left join charge on charge.account_id = document.account_id and charge.id = document.charge_id
     left join customer on customer.account_id = document.account_id and customer.id = document.customer_id
     where document.account_id = ? and document.id = ?`,
    ['payment', pdfSubject('payment'), 'receipt', accountId, id],
  );
  if (!raw) return null;
  const { chargedSource: source, shownTheme, chargeStatus, refunds, convenienceFee, applied, ...paper } = raw;
  const { customer, hasPdf, pdfProblem, pdfTemplate } = paper;
  const row = plainReader(em, Payment)(raw);
  const theme = shownTheme && plainReader(em, Theme)(shownTheme);
  return {
    row,
    customer,
    source,
    chargeStatus,
    refunds,
    convenienceFee,
    applied,
    hasPdf,
    pdfProblem,
    pdfTemplate,
    theme,
  };
}

/** A seller's logo by its hash. */
export async function logoRow(
  em: EntityManager,
  { accountId, hash }: { accountId: number; hash: string },
): Promise<{ type: LogoType; bytes: Buffer } | null> {
  const [logo] = await em.execute<{ type: LogoType; bytes: Buffer }[]>(
    'select type, bytes from logo where account_id = ? and hash = ?',
    [accountId, hash],
  );
  return logo ?? null;
}
