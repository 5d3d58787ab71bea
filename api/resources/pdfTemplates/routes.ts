import { type PaperKind, paperKinds, partsOfPapers } from '../../../billing/pdfTemplate.ts';
import {
  deletePdfTemplate,
  readPdfTemplate,
  readPdfTemplates,
  savePdfTemplate,
} from '../../../commands/catalog/pdfTemplates.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { presentPdfTemplate } from '../../../present/catalog/pdfTemplate.ts';
import { pathCode, type Route, reply } from '../../framework/route.ts';
import { changeRoute, deleteRoute } from '../../writing/writeRoutes.ts';
import { pdfTemplateChange } from './schema.ts';
import { pdfTemplate } from './shape.ts';

const path = '/pdf_templates';
const resource = { name: 'PDF template', shape: pdfTemplate, idColumn: 'code' as const };

function kindOf(code: string): PaperKind {
  const kind = paperKinds.find((one) => one === code);
  if (!kind) throw new Missing(resource.name, code);
  return kind;
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
      const { layout, paper } = body;
      const columns = body.columns === null ? partsOfPapers[kind].columns : body.columns;
      const blocks = body.blocks === null ? partsOfPapers[kind].blocks : body.blocks;
      return savePdfTemplate(em, { caller, kind, fields: { layout, paper, columns, blocks } }, now);
    },
  }),
  deleteRoute({
    path,
    resource,
    summary: 'Return papers of a kind to the default; stored PDFs stay',
    command: (em, { caller, code }) => deletePdfTemplate(em, { caller, kind: kindOf(code) }),
  }),
];
