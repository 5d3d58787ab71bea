import { type PlanAsk, planAsk } from '../../billing/collection/planProgress.ts';
import type { CustomizedObject, ShownField } from '../../billing/customFields.ts';
import type { DocumentType } from '../../billing/documents/document.ts';
import { whyNoReceipt } from '../../billing/documents/receipt.ts';
import type { SellerSnapshot } from '../../billing/documents/snapshot.ts';
import type { PdfTemplateFields } from '../../billing/look/pdfTemplate.ts';
import { readable } from '../../billing/look/visibleText.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Line, linesOf, partsOfInvoice, usesOfCreditNote } from '../../db/queries/documents/lines.ts';
import { documentRow, logoRow, type PdfProblem, receiptRow } from '../../db/queries/documents/printed.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import { readingOf } from '../../db/queries/kernel/reading.ts';
import type { Account } from '../../db/schema/account.ts';
import { CreditNote } from '../../db/schema/creditNote.ts';
import { Customer } from '../../db/schema/customer.ts';
import { Estimate } from '../../db/schema/estimate.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { PaymentPlan } from '../../db/schema/paymentPlan.ts';
import { earlierCreditNote, printableCreditNote, printCreditNote } from '../../present/printed/creditNote.ts';
import type { PrintedDocument } from '../../present/printed/document.ts';
import { eInvoiceOfCreditNote, eInvoiceOfInvoice } from '../../present/printed/eInvoice/documents.ts';
import type { EInvoiceFile } from '../../present/printed/eInvoice/eInvoice.ts';
import {
  earlierEstimate,
  type PrintedAnswer,
  printAnswer,
  printableEstimate,
  printEstimate,
} from '../../present/printed/estimate.ts';
import { penFor } from '../../present/printed/head.ts';
import { earlierInvoice, printableInvoice, printInvoice } from '../../present/printed/invoice.ts';
import { earlierReceipt, printableReceipt, printReceipt } from '../../present/printed/receipt.ts';
import { shownFields } from '../catalog/customFields.ts';
import { templateOf } from '../catalog/pdfTemplates.ts';
import { tellNote } from './noteStory.ts';
import { type Paying, payingDeposit, payingInvoice } from './paying.ts';
import { type Parties, partiesOf, partiesOfNow } from './snapshots.ts';

/** A document as it can be printed now. */
export interface Printable {
  /** The printed content and nothing else. */
  facts: object;
  /** The content as earlier versions hashed it, the latest one first, for PDFs that they stored. */
  earlierFacts: object[];
  /** The token in the URL of its public page. */
  token: string;
  /** Whether a PDF is stored, of this content or of another. */
  hasPdf: boolean;
  /** The open problem about a PDF that could not be rendered; null: none. */
  pdfProblem: PdfProblem | null;
  /** The look of its PDFs. */
  pdfTemplate: PdfTemplateFields;
  /** False: a draft, which only the seller may see, or a withheld receipt. Its PDF is not stored. */
  isDocument: boolean;
  /** Reason why a receipt is withheld from everyone, also from the seller; null: it is not. */
  withheld: string | null;
  /** Whether the customer has viewed it. Always true for a receipt, whose views are not recorded. */
  isViewed: boolean;
  /** The customer's answer to an estimate, or the possible answers; null for other documents. */
  answer: PrintedAnswer | null;
  /** How its page lets an invoice, or the deposit of an estimate, be paid; null for other documents. */
  paying: Paying | null;
  print(): Promise<PrintedDocument>;
  /** Its e-invoice; null: documents of this type have none. */
  eInvoice: (() => EInvoiceFile) | null;
}

export interface Named {
  account: Account;
  type: DocumentType;
  id: number;
}

/** How a document is shown. */
export interface Showing {
  /** True: with the seller, customer and theme of now, also if it was issued before. */
  isIssuedNow?: boolean;
  /** Another language than that of its customer. */
  language?: string;
}

/** Reads the printed content of a document at this time; null: the account has no such document. */
export function findPrintable(
  em: EntityManager,
  { account, type, id, ...showing }: Named & Showing,
  systemNow: Date,
): Promise<Printable | null> {
  const find = finders[type];
  return find(em, { account, id, systemNow }, showing);
}

interface Found {
  account: Account;
  id: number;
  systemNow: Date;
}

const finders: Readonly<
  Record<DocumentType, (em: EntityManager, found: Found, showing: Showing) => Promise<Printable | null>>
> = { invoice: findInvoice, estimate: findEstimate, credit_note: findCreditNote, payment: findReceipt };

async function findInvoice(
  em: EntityManager,
  { account, id, systemNow }: Found,
  showing: Showing,
): Promise<Printable | null> {
  const found = await documentRow(em, Invoice, { accountId: account.id, id });
  if (!found) return null;
  const { row: invoice, snapshot, hasPdf, pdfProblem } = found;
  const pdfTemplate = templateOf('invoice', found.pdfTemplate);
  const kept = showing.isIssuedNow ? null : snapshot;
  const parties = partiesIn(kept ?? (await partiesOfNow(em, account, invoice.customer.id)), showing);
  const lines = await linesOf(em, 'invoice', invoice);
  const plan = await planOf(em, account, invoice.paymentPlanId ?? null);
  const active = plan?.status === 'active' ? plan : null;
  const ask = active && (await askOf(em, { invoice, plan: active, systemNow }));
  const paid = await partsOfInvoice(em, invoice);
  const fields = await fieldsOf(em, 'invoice', invoice);
  const facts = printableInvoice(invoice, lines, { ...parties, fields, isTest: isTest(account), ...paid, ask });
  const { currency, timeZone } = invoice;
  return {
    hasPdf,
    pdfProblem,
    pdfTemplate,
    answer: null,
    paying: payingInvoice(invoice, {
      stored: { lines, installments: active?.installments ?? null, paid },
      ask,
      early: facts.early ?? null,
      pen: penFor({ ...readable(parties), currency, timeZone }),
    }),
    ...visibilityOf(invoice),
    ...printed(
      { em, account, facts },
      {
        print: printInvoice,
        earlier: earlierInvoice,
        eInvoice: (shown) => eInvoiceOfInvoice(shown, netsOf(lines)),
      },
    ),
  };
}

async function findEstimate(em: EntityManager, { account, id }: Found, showing: Showing): Promise<Printable | null> {
  const found = await documentRow(em, Estimate, { accountId: account.id, id });
  if (!found) return null;
  const { row: estimate, snapshot, hasPdf, pdfProblem } = found;
  const pdfTemplate = templateOf('estimate', found.pdfTemplate);
  const kept = showing.isIssuedNow ? null : snapshot;
  const parties = partiesIn(kept ?? (await partiesOfNow(em, account, estimate.customer.id)), showing);
  const lines = await linesOf(em, 'estimate', estimate);
  const fields = await fieldsOf(em, 'estimate', estimate);
  const facts = printableEstimate(estimate, lines, { ...parties, fields, isTest: isTest(account) });
  const answer = printAnswer(readable(estimate), readable(parties));
  const { currency, timeZone } = estimate;
  const pen = penFor({ ...readable(parties), currency, timeZone });
  return {
    hasPdf,
    pdfProblem,
    pdfTemplate,
    answer,
    paying: payingDeposit(estimate, { lines, pen, parties: readable(parties) }),
    ...visibilityOf(estimate),
    ...printed({ em, account, facts }, { print: printEstimate, earlier: earlierEstimate }),
  };
}

async function findCreditNote(em: EntityManager, { account, id }: Found, showing: Showing): Promise<Printable | null> {
  const found = await documentRow(em, CreditNote, { accountId: account.id, id });
  if (!found) return null;
  const { row: note, snapshot, hasPdf, pdfProblem } = found;
  const pdfTemplate = templateOf('credit_note', found.pdfTemplate);
  const kept = showing.isIssuedNow ? null : snapshot;
  const parties = partiesIn(kept ?? (await partiesOfNow(em, account, note.customer.id)), showing);
  const forInvoice = note.invoice ? await numberOf(em, account, note.invoice.id) : null;
  const lines = await linesOf(em, 'credit_note', note);
  const uses = await usesOfCreditNote(em, note);
  const told = await tellNote(em, account, note.id);
  const fields = await fieldsOf(em, 'credit_note', note);
  const about = { ...parties, fields, forInvoice, isTest: isTest(account), uses, told };
  const facts = printableCreditNote(note, lines, about);
  return {
    hasPdf,
    pdfProblem,
    pdfTemplate,
    answer: null,
    paying: null,
    ...visibilityOf(note),
    ...printed(
      { em, account, facts },
      {
        print: printCreditNote,
        earlier: earlierCreditNote,
        eInvoice: (shown) => eInvoiceOfCreditNote(shown, netsOf(lines)),
      },
    ),
  };
}

async function findReceipt(em: EntityManager, { account, id }: Found): Promise<Printable | null> {
  const found = await receiptRow(em, { accountId: account.id, id });
  if (!found) return null;
  const { row: payment, customer, source, chargeStatus, refunds, convenienceFee, hasPdf, pdfProblem, theme } = found;
  const pdfTemplate = templateOf('receipt', found.pdfTemplate);
  const applied = found.applied.map(({ isEstimate, invoice, sums, ...part }) => {
    const { type, amount, number, creditNote } = part;
    const deposit = isEstimate ? (true as const) : undefined;
    const paid = { invoice: invoice ?? undefined, sums: sums ?? undefined };
    return { type, amount, number, isEstimate: deposit, creditNote, ...paid };
  });
  const parties = partiesIn(partiesOf({ account, customer, billed: customer, theme }));
  const between = { ...parties, timeZone: account.timeZone, isTest: isTest(account) };
  const facts = printableReceipt({ payment, source, applied, refunds, convenienceFee }, between);
  const withheld = whyNoReceipt(payment, chargeStatus);
  const visibility = { token: payment.token, isDocument: withheld === null, withheld, isViewed: true };
  const unasked = { answer: null, paying: null };
  return {
    hasPdf,
    pdfProblem,
    pdfTemplate,
    ...unasked,
    ...visibility,
    ...printed({ em, account, facts }, { print: printReceipt, earlier: earlierReceipt }),
  };
}

/** The nets follow from the printed content up to cents, so they are no content of their own. */
const netsOf = (lines: readonly Line[]) => lines.map(({ net }) => net);

/** Marks documents of the sandbox. */
function isTest({ environment }: Account): true | undefined {
  return environment === 'sandbox' ? true : undefined;
}

function visibilityOf({ token, issuedAt, viewedAt }: Plain<Invoice> | Plain<Estimate> | Plain<CreditNote>) {
  return { token, isDocument: Boolean(issuedAt), withheld: null, isViewed: Boolean(viewedAt) };
}

/** The parties. Key order matters: the content is hashed as JSON. */
function partiesIn({ seller, billTo: buyer, language }: Parties, showing: Showing = {}) {
  return { seller, buyer, language: showing.language ?? language };
}

/** The custom fields of a document that its customer may see. Unset: none, so that documents without them keep the hash of their content. */
async function fieldsOf(
  em: EntityManager,
  object: CustomizedObject,
  { accountId, metadata }: Pick<Plain<Invoice>, 'accountId' | 'metadata'>,
): Promise<ShownField[] | undefined> {
  const fields = await shownFields(em, { accountId, object, metadata });
  return fields.length > 0 ? fields : undefined;
}

async function numberOf(em: EntityManager, account: Account, invoiceId: number): Promise<string | null> {
  return (await readingOf(em, account.id).byId(Invoice, [invoiceId])).get(invoiceId)?.number ?? null;
}

async function planOf(em: EntityManager, account: Account, id: number | null): Promise<Plain<PaymentPlan> | null> {
  return id === null ? null : ((await readingOf(em, account.id).byId(PaymentPlan, [id])).get(id) ?? null);
}

/** What the plan of an invoice asks for at its customer's time. */
async function askOf(
  em: EntityManager,
  { invoice, plan, systemNow }: { invoice: Plain<Invoice>; plan: Plain<PaymentPlan>; systemNow: Date },
): Promise<PlanAsk> {
  const of = { accountId: invoice.accountId, id: invoice.customer.id };
  const { testClock } = await em.findOneOrFail(Customer, of, { populate: ['testClock'] });
  const now = (testClock?.frozenAt ?? systemNow).getTime();
  return planAsk(plan.installments, { now, zone: invoice.timeZone });
}

/** The forms of printed facts. */
interface Forms<Facts> {
  print: (facts: Facts) => PrintedDocument;
  /** The facts as earlier versions hashed them, the latest one first. */
  earlier: (facts: Facts) => object[];
  /** Absent: documents of this type have no e-invoices. */
  eInvoice?: (facts: Facts) => EInvoiceFile;
}

/** The printed content without hidden characters, and functions that print it with the logo that the seller had at issue. */
function printed<Facts extends { seller: SellerSnapshot }>(
  { em, account, facts: stored }: { em: EntityManager; account: Account; facts: Facts },
  { print, earlier, eInvoice }: Forms<Facts>,
): Pick<Printable, 'facts' | 'earlierFacts' | 'print' | 'eInvoice'> {
  const facts = readable(stored);
  return {
    facts,
    earlierFacts: earlier(stored).map((facts) => readable(facts)),
    eInvoice: eInvoice ? () => eInvoice(facts) : null,
    print: async () => {
      const { logoHash: hash } = facts.seller;
      const logo = hash ? await logoRow(em, { accountId: account.id, hash }) : null;
      return { ...print(facts), logo: logo && { type: logo.type, base64: logo.bytes.toString('base64') } };
    },
  };
}
