import { whyNoReceipt } from '../../billing/receipt.ts';
import type { SellerSnapshot } from '../../billing/snapshot.ts';
import { readable } from '../../billing/visibleText.ts';
import type { EntityManager } from '../../db/orm.ts';
import { linesOf } from '../../db/queries/documents/lines.ts';
import { documentRow, logoRow, type PdfProblem, receiptRow } from '../../db/queries/documents/printed.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import { readingOf } from '../../db/queries/kernel/reading.ts';
import type { Account } from '../../db/schema/account.ts';
import { CreditNote } from '../../db/schema/creditNote.ts';
import { Customer } from '../../db/schema/customer.ts';
import type { DocumentType } from '../../db/schema/documentPdf.ts';
import { Estimate } from '../../db/schema/estimate.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { type PrintedAnswer, printAnswer } from '../../present/printed/answer.ts';
import { printableCreditNote, printCreditNote } from '../../present/printed/creditNote.ts';
import type { PrintedDocument } from '../../present/printed/document.ts';
import { printableEstimate, printEstimate } from '../../present/printed/estimate.ts';
import { printableInvoice, printInvoice } from '../../present/printed/invoice.ts';
import { printableReceipt, printReceipt } from '../../present/printed/receipt.ts';
import { type Parties, partiesOf } from './snapshots.ts';

/** A document that can be printed as it is now. */
export interface Printable {
  /** What of it is printed, and nothing else. */
  facts: object;
  /** What its public addresses end in. */
  token: string;
  /** Some PDF of it is kept, of this content or of another. */
  hasPdf: boolean;
  /** A PDF of it could not be made, and no later one was. */
  pdfProblem: PdfProblem | null;
  /** What was never issued is none: it is for its seller's eyes. */
  isDocument: boolean;
  /** Why nobody may see it, its seller included; null: it may be seen. */
  withheld: string | null;
  /** Its customer has been seen to look at it, or nobody cares. */
  isViewed: boolean;
  /** Of an estimate: what its customer said to it, or may still say. */
  answer: PrintedAnswer | null;
  print(): Promise<PrintedDocument>;
}

export interface Named {
  account: Account;
  type: DocumentType;
  id: number;
}

/** Reads what is printed of a document; null when the account has no such document. */
export function findPrintable(em: EntityManager, { account, type, id }: Named): Promise<Printable | null> {
  switch (type) {
    case 'invoice':
      return findInvoice(em, account, id);
    case 'estimate':
      return findEstimate(em, account, id);
    case 'credit_note':
      return findCreditNote(em, account, id);
    case 'payment':
      return findReceipt(em, account, id);
  }
}

async function findInvoice(em: EntityManager, account: Account, id: number): Promise<Printable | null> {
  const found = await documentRow(em, Invoice, { accountId: account.id, id });
  if (!found) return null;
  const { row: invoice, snapshot, hasPdf, pdfProblem } = found;
  const parties = partiesIn(snapshot ?? (await asOfNow(em, account, invoice.customer.id)));
  const facts = printableInvoice(invoice, await linesOf(em, 'invoice', invoice), parties);
  return { hasPdf, pdfProblem, answer: null, ...standingOf(invoice), ...printed({ em, account, facts }, printInvoice) };
}

async function findEstimate(em: EntityManager, account: Account, id: number): Promise<Printable | null> {
  const found = await documentRow(em, Estimate, { accountId: account.id, id });
  if (!found) return null;
  const { row: estimate, snapshot, hasPdf, pdfProblem } = found;
  const parties = partiesIn(snapshot ?? (await asOfNow(em, account, estimate.customer.id)));
  const facts = printableEstimate(estimate, await linesOf(em, 'estimate', estimate), parties);
  const answer = printAnswer(readable(estimate), readable(parties));
  return { hasPdf, pdfProblem, answer, ...standingOf(estimate), ...printed({ em, account, facts }, printEstimate) };
}

async function findCreditNote(em: EntityManager, account: Account, id: number): Promise<Printable | null> {
  const found = await documentRow(em, CreditNote, { accountId: account.id, id });
  if (!found) return null;
  const { row: note, snapshot, hasPdf, pdfProblem } = found;
  const parties = partiesIn(snapshot ?? (await asOfNow(em, account, note.customer.id)));
  const forInvoice = note.invoice ? await numberOf(em, account, note.invoice.id) : null;
  const lines = await linesOf(em, 'credit_note', note);
  const facts = printableCreditNote(note, lines, { ...parties, forInvoice });
  return { hasPdf, pdfProblem, answer: null, ...standingOf(note), ...printed({ em, account, facts }, printCreditNote) };
}

async function findReceipt(em: EntityManager, account: Account, id: number): Promise<Printable | null> {
  const found = await receiptRow(em, { accountId: account.id, id });
  if (!found) return null;
  const { row: payment, source, chargeStatus, hasPdf, pdfProblem } = found;
  const customer = payment.customer ? await customerOf(em, account, payment.customer.id) : null;
  const applied = found.applied.map(({ type, amount, number, isEstimate, creditNote }) => {
    return { type, amount, number, isEstimate: isEstimate ? (true as const) : undefined, creditNote };
  });
  const between = { ...partiesIn(partiesOf(account, customer, customer)), timeZone: account.timeZone };
  const facts = printableReceipt({ payment, source, applied }, between);
  const withheld = whyNoReceipt(payment, chargeStatus);
  const standing = { token: payment.token, isDocument: withheld === null, withheld, isViewed: true };
  return { hasPdf, pdfProblem, answer: null, ...standing, ...printed({ em, account, facts }, printReceipt) };
}

function standingOf({ token, issuedAt, viewedAt }: Plain<Invoice> | Plain<Estimate> | Plain<CreditNote>) {
  return { token, isDocument: Boolean(issuedAt), withheld: null, isViewed: Boolean(viewedAt) };
}

/** Kept and compared in this order. */
function partiesIn({ seller, billTo: buyer, language }: Parties) {
  return { seller, buyer, language };
}

/** A draft is between those who would be in it if it were issued now. */
async function asOfNow(em: EntityManager, account: Account, customerId: number): Promise<Parties> {
  const customer = await customerOf(em, account, customerId);
  const { billToParent, parent } = customer;
  return partiesOf(account, customer, billToParent && parent ? await customerOf(em, account, parent.id) : customer);
}

async function customerOf(em: EntityManager, account: Account, id: number): Promise<Plain<Customer>> {
  const customer = (await readingOf(em, account.id).byId(Customer, [id])).get(id);
  if (!customer) throw new Error(`no customer ${id}`);
  return customer;
}

async function numberOf(em: EntityManager, account: Account, invoiceId: number): Promise<string | null> {
  return (await readingOf(em, account.id).byId(Invoice, [invoiceId])).get(invoiceId)?.number ?? null;
}

/** What is printed of a document and how, without what is hidden in its text, and with the picture that its seller had then. */
function printed<Facts extends { seller: SellerSnapshot }>(
  { em, account, facts: stored }: { em: EntityManager; account: Account; facts: Facts },
  print: (facts: Facts) => PrintedDocument,
): Pick<Printable, 'facts' | 'print'> {
  const facts = readable(stored);
  return {
    facts,
    print: async () => {
      const { logoHash: hash } = facts.seller;
      const logo = hash ? await logoRow(em, { accountId: account.id, hash }) : null;
      return { ...print(facts), logo: logo && { type: logo.type, base64: logo.bytes.toString('base64') } };
    },
  };
}
