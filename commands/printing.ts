import type { SellerSnapshot } from '../billing/snapshot.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Account } from '../db/schema/account.ts';
import { CreditNote } from '../db/schema/creditNote.ts';
import type { Customer } from '../db/schema/customer.ts';
import type { DocumentType } from '../db/schema/documentPdf.ts';
import { Estimate } from '../db/schema/estimate.ts';
import { Invoice } from '../db/schema/invoice.ts';
import { Logo } from '../db/schema/logo.ts';
import { Payment } from '../db/schema/payment.ts';
import { type PrintedAnswer, printAnswer } from '../present/printed/answer.ts';
import { printableCreditNote, printCreditNote } from '../present/printed/creditNote.ts';
import type { PrintedDocument } from '../present/printed/document.ts';
import { printableEstimate, printEstimate } from '../present/printed/estimate.ts';
import { printableInvoice, printInvoice } from '../present/printed/invoice.ts';
import { printableReceipt, printReceipt } from '../present/printed/receipt.ts';
import { partiesOf } from './snapshots.ts';

/** A document that can be printed as it is now. */
export interface Printable {
  /** What of it is printed, and nothing else. */
  facts: object;
  /** What its public addresses end in. */
  token: string;
  /** What was never issued is none: it is for its seller's eyes. */
  isDocument: boolean;
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
  const populate = ['customer', 'customer.parent', 'snapshot', 'lines'] as const;
  const invoice = await em.findOne(Invoice, { accountId: account.id, id, deletedAt: null }, { populate });
  if (!invoice) return null;
  const { seller, billTo: buyer, language } = invoice.snapshot ?? asOfNow(account, invoice.customer);
  const facts = printableInvoice(invoice, invoice.lines.getItems(), { seller, buyer, language });
  return {
    ...{ facts, token: invoice.token, isDocument: Boolean(invoice.issuedAt), isViewed: Boolean(invoice.viewedAt) },
    answer: null,
    print: withLogo(em, { account, seller }, () => printInvoice(facts)),
  };
}

/** A draft is between those who would be in it if it were issued now. */
function asOfNow(account: Account, customer: Customer) {
  return partiesOf(account, customer, customer.billToParent ? (customer.parent ?? customer) : customer);
}

async function findEstimate(em: EntityManager, account: Account, id: number): Promise<Printable | null> {
  const populate = ['customer', 'customer.parent', 'snapshot', 'lines'] as const;
  const estimate = await em.findOne(Estimate, { accountId: account.id, id, deletedAt: null }, { populate });
  if (!estimate) return null;
  const { seller, billTo: buyer, language } = estimate.snapshot ?? asOfNow(account, estimate.customer);
  const parties = { seller, buyer, language };
  const facts = printableEstimate(estimate, estimate.lines.getItems(), parties);
  return {
    ...{ facts, token: estimate.token, isDocument: Boolean(estimate.issuedAt), isViewed: Boolean(estimate.viewedAt) },
    answer: printAnswer(estimate, parties),
    print: withLogo(em, { account, seller }, () => printEstimate(facts)),
  };
}

async function findCreditNote(em: EntityManager, account: Account, id: number): Promise<Printable | null> {
  const populate = ['customer', 'customer.parent', 'snapshot', 'lines', 'invoice'] as const;
  const note = await em.findOne(CreditNote, { accountId: account.id, id, deletedAt: null }, { populate });
  if (!note) return null;
  const { seller, billTo: buyer, language } = note.snapshot ?? asOfNow(account, note.customer);
  const forInvoice = note.invoice?.number ?? null;
  const facts = printableCreditNote(note, note.lines.getItems(), { seller, buyer, language, forInvoice });
  return {
    ...{ facts, token: note.token, isDocument: Boolean(note.issuedAt), isViewed: Boolean(note.viewedAt) },
    answer: null,
    print: withLogo(em, { account, seller }, () => printCreditNote(facts)),
  };
}

async function findReceipt(em: EntityManager, account: Account, id: number): Promise<Printable | null> {
  const populate = [
    ...(['customer', 'charge', 'applications', 'applications.invoice'] as const),
    ...(['applications.estimate', 'applications.creditNote'] as const),
  ] as const;
  const payment = await em.findOne(Payment, { accountId: account.id, id }, { populate });
  if (!payment) return null;
  const customer = payment.customer ?? null;
  const applied = payment.applications.map(({ type, amount, invoice, estimate, creditNote }) => {
    const isEstimate = estimate && !invoice ? (true as const) : undefined;
    const number = (invoice ?? estimate)?.number ?? null;
    return { type, amount, number, isEstimate, creditNote: creditNote?.number ?? null };
  });
  const { seller, billTo: buyer, language } = partiesOf(account, customer, customer);
  const between = { seller, buyer, language, timeZone: account.timeZone };
  const facts = printableReceipt({ payment, source: payment.charge?.source ?? null, applied }, between);
  return {
    facts,
    token: payment.token,
    isDocument: true,
    isViewed: true,
    answer: null,
    print: withLogo(em, { account, seller }, () => printReceipt(facts)),
  };
}

/** A document with the picture that its seller had then. */
function withLogo(
  em: EntityManager,
  { account, seller }: { account: Account; seller: SellerSnapshot },
  print: () => PrintedDocument,
): Printable['print'] {
  return async () => {
    const { logoHash: hash } = seller;
    const logo = hash ? await em.findOne(Logo, { accountId: account.id, hash }) : null;
    const { type, bytes } = logo ?? {};
    return { ...print(), logo: type && bytes ? { type, base64: bytes.toString('base64') } : null };
  };
}
