import type { EntityManager } from '../db/orm.ts';
import type { Account } from '../db/schema/account.ts';
import type { DocumentType } from '../db/schema/documentPdf.ts';
import { Estimate } from '../db/schema/estimate.ts';
import { Invoice } from '../db/schema/invoice.ts';
import { Payment } from '../db/schema/payment.ts';
import type { PrintedDocument } from '../present/printed/document.ts';
import { printableEstimate, printEstimate } from '../present/printed/estimate.ts';
import { buyerOf, sellerOf } from '../present/printed/head.ts';
import { printableInvoice, printInvoice } from '../present/printed/invoice.ts';
import { printableReceipt, printReceipt } from '../present/printed/receipt.ts';

/** A document that can be printed as it is now. */
export interface Printable {
  /** What of it is printed, and nothing else. */
  facts: object;
  /** What its public addresses end in. */
  token: string;
  /** A draft is none yet. */
  isDocument: boolean;
  print(): PrintedDocument;
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
    case 'payment':
      return findReceipt(em, account, id);
  }
}

async function findInvoice(em: EntityManager, account: Account, id: number): Promise<Printable | null> {
  const invoice = await em.findOne(Invoice, { accountId: account.id, id }, { populate: ['customer', 'lines'] });
  if (!invoice) return null;
  const between = { seller: sellerOf(account), buyer: buyerOf(invoice.customer), shipTo: null };
  const facts = printableInvoice(invoice, invoice.lines.getItems(), between);
  return { facts, token: invoice.token, isDocument: facts.mark !== 'draft', print: () => printInvoice(facts) };
}

async function findEstimate(em: EntityManager, account: Account, id: number): Promise<Printable | null> {
  const populate = ['customer', 'lines', 'snapshot'] as const;
  const estimate = await em.findOne(Estimate, { accountId: account.id, id }, { populate });
  if (!estimate) return null;
  const { snapshot, customer, shipTo = null } = estimate;
  const parties = snapshot
    ? {
        seller: { ...snapshot.seller, language: account.language },
        buyer: { ...snapshot.billTo, language: snapshot.language },
      }
    : { seller: sellerOf(account), buyer: buyerOf(customer) };
  const facts = printableEstimate(estimate, estimate.lines.getItems(), { ...parties, shipTo });
  return { facts, token: estimate.token, isDocument: facts.mark !== 'draft', print: () => printEstimate(facts) };
}

async function findReceipt(em: EntityManager, account: Account, id: number): Promise<Printable | null> {
  const populate = ['customer', 'charge', 'applications', 'applications.invoice'] as const;
  const payment = await em.findOne(Payment, { accountId: account.id, id }, { populate });
  if (!payment) return null;
  const applied = payment.applications.map(({ type, amount, invoice }) => {
    return { type, amount, number: invoice?.number ?? null };
  });
  const buyer = payment.customer ? buyerOf(payment.customer) : null;
  const between = { seller: sellerOf(account), buyer, timeZone: account.timeZone };
  const facts = printableReceipt({ payment, source: payment.charge?.source ?? null, applied }, between);
  return { facts, token: payment.token, isDocument: true, print: () => printReceipt(facts) };
}
