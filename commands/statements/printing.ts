import type { Statement } from '../../billing/documents/statement.ts';
import { readable } from '../../billing/look/visibleText.ts';
import type { EntityManager } from '../../db/orm.ts';
import { shownTheme } from '../../db/queries/catalog/themes.ts';
import { logoRow } from '../../db/queries/documents/printed.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { PrintedDocument } from '../../present/printed/document.ts';
import type { ToldStory } from '../../present/printed/noteStory.ts';
import { printStatement } from '../../present/printed/statement/document.ts';
import { templated } from '../../present/printed/template.ts';
import { namedPdfOf } from '../catalog/namedPdfTemplates.ts';
import { readPdfTemplate } from '../catalog/pdfTemplates.ts';
import { tellNotes } from '../documents/noteStory.ts';
import { type Pdf, renderPdf } from '../documents/pdfs.ts';
import { partiesOf } from '../documents/snapshots.ts';
import type { PdfRenderer } from '../ports/pdf.ts';

interface StatementOf {
  account: Account;
  customer: Customer;
  statement: Statement;
}

/** Renders the PDF of a statement with the current details of seller and customer. It is not stored. Throws Unprintable. */
export async function statementPdf(
  { em, pdf }: { em: EntityManager; pdf: PdfRenderer },
  of: StatementOf,
): Promise<Pdf> {
  const { id } = of.account;
  const { pdfTemplates: codes } = of.customer;
  const own = await namedPdfOf(em, { accountId: id, codes, kind: 'statement' });
  const look = own ?? (await readPdfTemplate(em, id, 'statement'));
  const document = templated(await printedStatement(em, of), look);
  return renderPdf(pdf, document, id);
}

/** The printed form of a statement, with the current details of seller and customer. */
export async function printedStatement(
  em: EntityManager,
  { account, customer, statement }: StatementOf,
): Promise<PrintedDocument> {
  const theme = await shownTheme(em, account.id, customer);
  const { seller, billTo: buyer, language } = partiesOf({ account, customer, billed: customer, theme });
  const { currency } = statement;
  const isTest = account.environment === 'sandbox' ? (true as const) : undefined;
  const facts = readable({ statement, seller, buyer, language, currency, timeZone: account.timeZone, isTest });
  const told = await toldNotes(em, account, statement);
  const { logoHash: hash } = seller;
  const logo = hash ? await logoRow(em, { accountId: account.id, hash }) : null;
  const picture = logo && { type: logo.type, base64: logo.bytes.toString('base64') };
  return {
    ...printStatement({ ...facts, told, accountId: account.id, customer: readable({ number: customer.number }) }),
    logo: picture,
  };
}

/** Most credit notes of a statement that say what became of them: the latest ones. */
const MOST_TOLD = 50;

/** What became of each credit note on a statement until the statement's range ends, by id. */
function toldNotes(em: EntityManager, account: Account, { lines, range }: Statement): Promise<Map<number, ToldStory>> {
  const notes = lines.flatMap(({ type, creditNoteId }) => (type === 'credit_note' ? (creditNoteId ?? []) : []));
  const ids = [...new Set(notes)].slice(-MOST_TOLD);
  return tellNotes(em, account, { ids, until: range.until });
}
