import type { Context } from 'koa';
import type { DocumentType } from '../../billing/documents/document.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type Pdf, pdfOf } from '../../commands/documents/pdfs.ts';
import { findPrintable } from '../../commands/documents/printing.ts';
import { eInvoiceFile, type XmlFile } from '../../commands/documents/sending.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { found, pathId, type Reply } from '../framework/route.ts';

/** Responds with the PDF of the document in the path. Throws a Refusal for a document that has no PDF. */
export async function readPdf(request: ApiRequest, type: DocumentType, name: string): Promise<Reply> {
  const { deps, em, caller } = request;
  const id = pathId(request, name);
  const named = { account: caller.account, type, id };
  const systemNow = deps.systemNow();
  const printable = found(await findPrintable(em, named, systemNow), name, id);
  if (printable.withheld !== null) throw new Refusal('state_conflict', printable.withheld);
  const pdf = await pdfOf({ em, pdf: deps.pdf }, { ...named, printable }, systemNow);
  return { statusCode: 200, json: null, pdf };
}

/** Sends a PDF that browsers show inline, with a file name for saving it. */
export function sendPdf(ctx: Pick<Context, 'attachment' | 'set' | 'etag' | 'body'>, pdf: Pdf): void {
  ctx.attachment(pdf.name, { type: 'inline' });
  ctx.set('Content-Type', 'application/pdf');
  ctx.etag = pdf.sha256;
  ctx.body = Buffer.from(pdf.bytes);
}

/** Responds with the e-invoice of the document in the path. */
export async function readEInvoice(request: ApiRequest, type: DocumentType, name: string): Promise<Reply> {
  const { deps, em, caller } = request;
  const id = pathId(request, name);
  const named = { account: caller.account, type, id };
  const systemNow = deps.systemNow();
  const printable = found(await findPrintable(em, named, systemNow), name, id);
  const xml = await eInvoiceFile({ em, pdf: deps.pdf }, { ...named, printable }, systemNow);
  return { statusCode: 200, json: null, xml };
}

/** Sends an e-invoice with a file name for saving it. */
export function sendXml(ctx: Pick<Context, 'attachment' | 'set' | 'body'>, { name, text }: XmlFile): void {
  ctx.attachment(name, { type: 'inline' });
  ctx.set('Content-Type', 'application/xml; charset=utf-8');
  ctx.body = text;
}
