import type { z } from 'zod';
import { customTemplateNamed } from '../../../billing/emailTemplates.ts';
import { Unprintable } from '../../../billing/unprintable.ts';
import { readPdfTemplate } from '../../../commands/catalog/pdfTemplates.ts';
import { renderPdf } from '../../../commands/documents/pdfs.ts';
import { mailedLines } from '../../../commands/documents/printing.ts';
import { withLines } from '../../../commands/mail/customizing.ts';
import { isCustom, partsOf, readTemplate } from '../../../commands/mail/templates.ts';
import { logoOf, mailOf, type QueuedMail } from '../../../commands/previews/mails.ts';
import { printableOf } from '../../../commands/previews/papers.ts';
import { tryTheme } from '../../../commands/previews/themes.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { inDryRun } from '../../../db/transaction.ts';
import { presentTheme } from '../../../present/catalog/theme.ts';
import { sampleWordsOf } from '../../../present/printed/sampleWords.ts';
import { templated } from '../../../present/printed/template.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { pathId, type Reply, reply } from '../../framework/route.ts';
import { chosenLogo } from './logo.ts';
import { themes } from './resource.ts';
import { fieldsOf, type themePreviewing } from './schema.ts';

type Body = z.output<typeof themePreviewing>;

/**
 * Answers with page and mail of a document with a theme, or with its PDF. The theme is changed, and the document sent, in a transaction that
 * is rolled back.
 */
export async function previewTheme(request: ApiRequest, body: Body): Promise<Reply> {
  const { deps, em, caller, previews } = request;
  const accountId = caller.account.id;
  const id = pathId(request, themes.name);
  const logo = await chosenLogo(request, body.logo);
  const change = { caller, id, fields: fieldsOf(body), logo };
  const shown = await inDryRun(deps.em, (inner) => tried(inner, request, { change, object: body.object ?? null }));
  if (request.medium === 'pdf') {
    const { kind } = shown.document;
    const document = templated(shown.document, await readPdfTemplate(em, accountId, kind));
    return { statusCode: 200, json: null, pdf: await renderPdf(deps.pdf, document, accountId) };
  }
  const { page, theme } = shown;
  const mail = previews.ofMail({ html: await wordedHtml(request, shown.mail), logo: shown.logo });
  const { warnings = [] } = presentTheme(theme, caller.account.accentColor ?? null);
  return reply(200, { page, mail, warnings });
}

/** The document with the theme, as page, paper and mail, before the transaction is rolled back. */
async function tried(em: EntityManager, { deps, caller, previews }: ApiRequest, asked: Parameters<typeof tryTheme>[1]) {
  const { account } = caller;
  const systemNow = deps.systemNow();
  const { theme, object } = await tryTheme(em, asked, systemNow);
  const name = sampleWordsOf(account.language).customer;
  const mail = await mailOf(em, { caller, object, template: null, name }, systemNow);
  const printable = await printableOf(em, { caller, object, isIssuedNow: true });
  const lines = await mailedLines(em, { account, document: object });
  return {
    theme,
    document: await printable.print(),
    page: await previews.ofDocument({ ...object, account, em, printable }, systemNow),
    mail: mail.view ? { ...mail, view: withLines(mail.view, lines) } : mail,
    logo: await logoOf(em, account.id, mail.html),
  };
}

/** The HTML of a mail in the words of the account. A template that cannot be rendered leaves the default wording, as when it is sent. */
async function wordedHtml(
  { deps, em, caller }: ApiRequest,
  { html, view, template: name }: QueuedMail,
): Promise<string> {
  const template = customTemplateNamed(name);
  if (!template || !view) return html;
  const accountId = caller.account.id;
  const source = partsOf(await readTemplate(em, accountId, { template, language: view.language }));
  if (!isCustom(source)) return html;
  try {
    return (await deps.templates.render(source, view, accountId)).html ?? html;
  } catch (error) {
    if (!(error instanceof Unprintable)) throw error;
    return html;
  }
}
