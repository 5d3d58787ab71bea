import { createHash } from 'node:crypto';
import type { Statement } from '../../billing/statement.ts';
import { readable } from '../../billing/visibleText.ts';
import type { EntityManager } from '../../db/orm.ts';
import { shownTheme } from '../../db/queries/catalog/themes.ts';
import { logoRow } from '../../db/queries/documents/printed.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { printStatement } from '../../present/printed/statement/document.ts';
import { templated } from '../../present/printed/template.ts';
import { readPdfTemplate } from '../catalog/pdfTemplates.ts';
import { fileNameOf, type Pdf } from '../documents/pdfs.ts';
import { partiesOf } from '../documents/snapshots.ts';
import type { PdfRenderer } from '../ports.ts';

/** Renders the PDF of a statement with the current details of seller and customer. It is not stored. Throws Unprintable. */
export async function statementPdf(
  { em, pdf }: { em: EntityManager; pdf: PdfRenderer },
  { account, customer, statement }: { account: Account; customer: Customer; statement: Statement },
): Promise<Pdf> {
  const theme = await shownTheme(em, account.id, customer);
  const { seller, billTo: buyer, language } = partiesOf({ account, customer, billed: customer, theme });
  const { currency } = statement;
  const facts = readable({ statement, seller, buyer, language, currency, timeZone: account.timeZone });
  const { logoHash: hash } = seller;
  const logo = hash ? await logoRow(em, { accountId: account.id, hash }) : null;
  const picture = logo && { type: logo.type, base64: logo.bytes.toString('base64') };
  const printed = { ...printStatement({ ...facts, customer: readable({ number: customer.number }) }), logo: picture };
  const document = templated(printed, await readPdfTemplate(em, account.id, 'statement'));
  const bytes = Buffer.from(await pdf.render(document, account.id));
  return { name: fileNameOf(document.heading), bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}
