import type { PaperKind } from '../../billing/look/pdfTemplate.ts';
import type { PreviewedType } from '../../billing/mail/emailTemplates.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { PrintedDocument } from '../../present/printed/document.ts';
import { findPrintable, type Printable, type Showing } from '../documents/printing.ts';
import type { Caller } from '../kernel/caller.ts';
import { lockCustomer } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { printedStatement } from '../statements/printing.ts';
import { LATEST_STATEMENT, readStatement } from '../statements/reading.ts';
import { notFound, type PreviewedObject } from './mails.ts';
import { addSample } from './samples.ts';

/** Which type of object each kind of paper shows. A customer's statement is its latest one. */
const typesOfKinds: Readonly<Record<PaperKind, PreviewedType>> = {
  invoice: 'invoice',
  estimate: 'estimate',
  credit_note: 'credit_note',
  receipt: 'payment',
  statement: 'customer',
};

/** An object with pages and a PDF of its own. */
export type PreviewedDocument = PreviewedObject & { type: Exclude<PreviewedType, 'customer'> };

/**
 * Prints a paper as it is before its template leaves anything out. It shows an object, or a sample that exists only during a dry run.
 * Refuses an unknown object, one with papers of another kind, and a receipt that is withheld.
 */
export async function printPaper(
  em: EntityManager,
  { caller, kind, object }: { caller: Caller; kind: PaperKind; object: PreviewedObject | null },
  systemNow: Date,
): Promise<PrintedDocument> {
  const type = typesOfKinds[kind];
  if (object && object.type !== type)
    throw new Refusal(
      'parameter_invalid',
      `A paper of the kind ${kind} shows an object of type ${type}: ${object.type}`,
      'object[type]',
    );
  const id = object?.id ?? (await addSample(em, { caller, type }, systemNow));
  if (type === 'customer') return printLatest(em, { caller, id }, systemNow).catch(notFound);
  return (await printableOf(em, { caller, object: { type, id } }, systemNow)).print();
}

/** The printed content of a document that a request names. Refuses an unknown document and a receipt that is withheld. */
export async function printableOf(
  em: EntityManager,
  { caller, object, ...showing }: Showing & { caller: Caller; object: PreviewedDocument },
  systemNow: Date,
): Promise<Printable> {
  const { type, id } = object;
  const printable = await findPrintable(em, { account: caller.account, type, id, ...showing }, systemNow);
  if (!printable) return notFound(new Missing(nameOf(type), id));
  if (printable.withheld !== null) throw new Refusal('state_conflict', printable.withheld);
  return printable;
}

function nameOf(type: PreviewedDocument['type']): string {
  return { invoice: 'Invoice', estimate: 'Estimate', credit_note: 'Credit note', payment: 'Payment' }[type];
}

async function printLatest(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<PrintedDocument> {
  const { account } = caller;
  const { customer, moment } = await lockCustomer(em, { caller, customerId: id }, systemNow);
  const statement = await readStatement(em, { account, customer, now: moment.now }, LATEST_STATEMENT);
  return printedStatement(em, { account, customer, statement });
}
