import type { z } from 'zod';
import { type PaperKind, paperKinds, partsOfPapers } from '../../../billing/pdfTemplate.ts';
import {
  deletePdfTemplate,
  readPdfTemplate,
  readPdfTemplates,
  savePdfTemplate,
} from '../../../commands/catalog/pdfTemplates.ts';
import { renderPdf } from '../../../commands/documents/pdfs.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { printPaper } from '../../../commands/previews/papers.ts';
import { inDryRun } from '../../../db/transaction.ts';
import { presentPdfTemplate } from '../../../present/catalog/pdfTemplate.ts';
import { templated } from '../../../present/printed/template.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { pathCode, type Reply, type Route, reply, withBody } from '../../framework/route.ts';
import { changeRoute, deleteRoute } from '../../writing/writeRoutes.ts';
import { pdfTemplateChange, pdfTemplatePreviewing } from './schema.ts';
import { pdfTemplate } from './shape.ts';

const path = '/pdf_templates';
const resource = { name: 'PDF template', shape: pdfTemplate, idColumn: 'code' as const };

function kindOf(code: string): PaperKind {
  const kind = paperKinds.find((one) => one === code);
  if (!kind) throw new Missing(resource.name, code);
  return kind;
}

/** The fields of a change; absent ones are undefined. */
function fieldsOf({ layout, paper, ...parts }: z.output<typeof pdfTemplateChange>, kind: PaperKind) {
  const columns = parts.columns === null ? partsOfPapers[kind].columns : parts.columns;
  const blocks = parts.blocks === null ? partsOfPapers[kind].blocks : parts.blocks;
  return { layout, paper, columns, blocks };
}

/** Answers with the PDF of a paper, or with its template. The template is saved in a transaction that is rolled back. */
async function preview(request: ApiRequest, body: z.output<typeof pdfTemplatePreviewing>): Promise<Reply> {
  const { deps, caller } = request;
  const kind = kindOf(pathCode(request, resource.name));
  const { object = null, ...change } = body;
  const shown = await inDryRun(deps.em, async (em) => {
    const systemNow = deps.systemNow();
    const template = await savePdfTemplate(em, { caller, kind, fields: fieldsOf(change, kind) }, systemNow);
    return { template, paper: await printPaper(em, { caller, kind, object }, systemNow) };
  });
  if (request.medium !== 'pdf') return reply(200, presentPdfTemplate(shown.template));
  const pdf = await renderPdf(deps.pdf, templated(shown.paper, shown.template), caller.account.id);
  return { statusCode: 200, json: null, pdf };
}

export const pdfTemplateRoutes: Route[] = [
  {
    method: 'GET',
    path,
    operationId: 'readPdfTemplates',
    summary: 'Read how papers of all kinds are printed',
    answer: { statusCode: 200, kind: resource, isArray: true },
    handle: async ({ em, caller }) =>
      reply(200, (await readPdfTemplates(em, caller.account.id)).map(presentPdfTemplate)),
  },
  {
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'readPdfTemplate',
    summary: 'Read how papers of a kind are printed',
    idColumn: 'code',
    answer: { statusCode: 200, kind: resource },
    handle: async (request) => {
      const kind = kindOf(pathCode(request, resource.name));
      return reply(200, presentPdfTemplate(await readPdfTemplate(request.em, request.caller.account.id, kind)));
    },
  },
  changeRoute({
    method: 'PATCH',
    path: `${path}/:id`,
    operationId: 'updatePdfTemplate',
    resource,
    summary:
      'Change how papers of a kind are printed whose content has no PDF yet; null returns a field to its default',
    body: pdfTemplateChange,
    example: { layout: 'modern', columns: ['quantity', 'unit_cost'] },
    present: presentPdfTemplate,
    command: (em, { caller, code, body }, now) => {
      const kind = kindOf(code);
      return savePdfTemplate(em, { caller, kind, fields: fieldsOf(body, kind) }, now);
    },
  }),
  withBody({
    method: 'POST',
    path: `${path}/:id/preview`,
    operationId: 'previewPdfTemplate',
    summary: 'Preview a paper as PDF, also with fields that are not saved; as JSON, the template itself',
    idColumn: 'code',
    body: pdfTemplatePreviewing,
    example: { layout: 'modern', columns: ['quantity', 'unit_cost'] },
    media: ['pdf'],
    answer: { statusCode: 200, kind: resource },
    storesNothing: true,
    handle: preview,
  }),
  deleteRoute({
    path,
    resource,
    summary: 'Return papers of a kind to the default; stored PDFs stay',
    command: (em, { caller, code }) => deletePdfTemplate(em, { caller, kind: kindOf(code) }),
  }),
];
