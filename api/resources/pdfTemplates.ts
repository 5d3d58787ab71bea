import type { z } from 'zod';
import {
  type PaperKind,
  paperBlocks,
  paperColumns,
  paperKinds,
  paperLayouts,
  paperSizes,
  partsOfPapers,
  plainLayout,
} from '../../billing/look/pdfTemplate.ts';
import { previewedTypes } from '../../billing/mail/emailTemplates.ts';
import { Refusal } from '../../billing/refusal.ts';
import {
  createPdfTemplate,
  deleteNamedPdf,
  findNamedPdf,
  namedPdfTemplates,
  stateOfNamed,
  updateNamedPdf,
} from '../../commands/catalog/namedPdfTemplates.ts';
import {
  deletePdfTemplate,
  type PdfTemplateState,
  readPdfTemplate,
  readPdfTemplates,
  savePdfTemplate,
} from '../../commands/catalog/pdfTemplates.ts';
import { renderPdf } from '../../commands/documents/pdfs.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import { Missing } from '../../commands/kernel/missing.ts';
import { printPaper } from '../../commands/previews/papers.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { allPdfTemplates } from '../../db/queries/catalog/templates.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { type NamedPdfTemplate, PdfTemplate } from '../../db/schema/templates.ts';
import { inDryRun } from '../../db/transaction.ts';
import { presentPdfTemplate } from '../../present/catalog/templates.ts';
import { templated } from '../../present/printed/template.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { pathCode, type Reply, type Route, reply, withBody } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { changeRoute, createRoute, deleteRoute } from '../writing/writeRoutes.ts';
import { previewedObject, requireReading } from './emailTemplates/fields.ts';

const pdfTemplate = shown.shape('PdfTemplate', 'Look of the PDFs of one kind of paper', {
  id: shown.text('Kind of paper, or id of a further template', 'invoice'),
  name: shown.unset(shown.text('Name of a further template; null: it is built in', 'Export')),
  kind: shown.oneOf('Kind of paper', 'invoice', paperKinds),
  layout: shown.oneOf('Layout of the paper', 'modern', paperLayouts),
  paper: shown.nullable(shown.text('Size of the paper: `a4` or `letter`; null: that of your country', 'a4')),
  columns: shown.textList(
    'Printed facts of a line: `quantity`, `unit_cost`, `description`, `service_period`, `tax`. Receipts and statements have none of these. Names, discounts, dates of entries and amounts always are printed',
  ),
  blocks: shown.textList(
    'Blocks that are printed: `bank_details`, `payment_reference`, `qr_code`, `links`, `footer`. Only invoices have the first three, and statements have no links. The line with your name and address always is printed',
  ),
  updated_at: shown.nullable(shown.updatedAt),
});

const changes = {
  layout: fields.resettable(fields.choice(...paperLayouts), plainLayout),
  paper: fields.choice(...paperSizes),
  columns: fields.list(fields.required(fields.choice(...paperColumns)), paperColumns.length),
  blocks: fields.list(fields.required(fields.choice(...paperBlocks)), paperBlocks.length),
};

const name = fields.described(fields.name, 'Name of a further template', 'Export');

const newPdfTemplate = object(
  {
    id: fields.described(fields.newCode, 'Id of the template; default: generated', 'export_invoice'),
    name: fields.required(name),
    kind: fields.withDefault(fields.described(fields.choice(...paperKinds), 'Kind of paper', 'invoice'), 'invoice'),
    ...changes,
  },
  { readOnly: ['object', 'updated_at'] },
);

const pdfTemplateChange = object(
  { name: fields.kept(name), ...changes },
  { readOnly: ['id', 'object', 'kind', 'updated_at'] },
);

const pdfTemplatePreviewing = object(
  { ...changes, object: previewedObject(previewedTypes) },
  { readOnly: ['id', 'kind', 'name', 'updated_at'] },
);

const path = '/pdf_templates';
const resource = { name: 'PDF template', shape: pdfTemplate, area: 'settings', idColumn: 'code' } as const;

/** A kind of paper, or a further template. */
type Found = { kind: PaperKind; row: NamedPdfTemplate | null };

/** The template that an id in a path names. Throws Missing. */
async function find(em: EntityManager, accountId: number, code: string): Promise<Found> {
  const builtIn = paperKinds.find((one) => one === code);
  const row = builtIn ? null : await findNamedPdf(em, accountId, code);
  const kind = builtIn ?? row?.kind;
  if (!kind) throw new Missing(resource.name, code);
  return { kind, row };
}

/** Changes a template. A built-in one has no name. */
async function save(
  em: EntityManager,
  { caller, code, body }: { caller: Caller; code: string; body: z.output<typeof pdfTemplateChange> },
  now: Date,
): Promise<PdfTemplateState> {
  const { kind, row } = await find(em, caller.account.id, code);
  const { name, ...look } = body;
  const fields = fieldsOf(look, kind);
  if (row) return updateNamedPdf(em, { row, name, fields }, now);
  if (name !== undefined)
    throw new Refusal('parameter_invalid', 'A built-in PDF template has no name of its own', 'name');
  return savePdfTemplate(em, { caller, kind, fields }, now);
}

type Look = Omit<z.output<typeof pdfTemplateChange>, 'name'>;

/** The fields of a change; absent ones are undefined. */
function fieldsOf({ layout, paper, ...parts }: Look, kind: PaperKind) {
  const columns = parts.columns === null ? partsOfPapers[kind].columns : parts.columns;
  const blocks = parts.blocks === null ? partsOfPapers[kind].blocks : parts.blocks;
  return { layout, paper, columns, blocks };
}

/** Answers with the PDF of a paper, or with its template. The template is saved in a transaction that is rolled back. */
async function preview(request: ApiRequest, body: z.output<typeof pdfTemplatePreviewing>): Promise<Reply> {
  const { deps, caller } = request;
  const code = pathCode(request, resource.name);
  const { object = null, ...change } = body;
  requireReading(caller, object);
  const tried = await inDryRun(deps.em, async (em) => {
    const systemNow = deps.systemNow();
    const template = await save(em, { caller, code, body: { ...change, name: undefined } }, systemNow);
    const { kind } = template;
    return { template, paper: await printPaper(em, { caller, kind, object }, systemNow) };
  });
  if (request.medium !== 'pdf') return reply(200, presentPdfTemplate(tried.template));
  const pdf = await renderPdf(deps.pdf, templated(tried.paper, tried.template), caller.account.id);
  return { statusCode: 200, json: null, pdf };
}

export const pdfTemplateRoutes: Route[] = [
  {
    method: 'GET',
    path,
    operationId: 'readPdfTemplates',
    permission: 'settings.read',
    summary: 'Read how papers of all kinds are printed',
    answer: { statusCode: 200, kind: resource, isArray: true },
    handle: async ({ em, caller }) =>
      reply(200, [
        ...(await readPdfTemplates(em, caller.account.id)).map(presentPdfTemplate),
        ...(await namedPdfTemplates(em, caller.account.id)).map(presentPdfTemplate),
      ]),
  },
  createRoute({
    path,
    resource,
    summary: 'Create a further PDF template of a kind of paper, which customers name in `pdf_templates`',
    body: newPdfTemplate,
    example: { id: 'export_invoice', name: 'Export', kind: 'invoice', layout: 'modern' },
    present: presentPdfTemplate,
    command: (em, { caller, body }, now) => {
      const { id = null, name, kind, ...look } = body;
      return createPdfTemplate(em, { caller, id, name, kind, fields: fieldsOf(look, kind) }, now);
    },
  }),
  {
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'readPdfTemplate',
    permission: 'settings.read',
    summary: 'Read how papers of a kind are printed',
    idColumn: 'code',
    answer: { statusCode: 200, kind: resource },
    stored: (request) => {
      const accountId = request.caller.account.id;
      const where = condition('code = ?', pathCode(request, resource.name));
      const lock = (em: EntityManager) => lockCountOf(em, 'pdf_template', accountId);
      return { accountId, row: PdfTemplate, from: allPdfTemplates, where, lock, mayBeAbsent: true };
    },
    handle: async (request) => {
      const { em, caller } = request;
      const { kind, row } = await find(em, caller.account.id, pathCode(request, resource.name));
      const state = row ? stateOfNamed(row) : await readPdfTemplate(em, caller.account.id, kind);
      return reply(200, presentPdfTemplate(state));
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
    command: save,
  }),
  withBody({
    method: 'POST',
    path: `${path}/:id/preview`,
    operationId: 'previewPdfTemplate',
    permission: 'settings.read',
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
    summary: 'Return papers of a kind to the default, or delete a further template; stored PDFs stay',
    command: async (em, { caller, code }) => {
      const { kind, row } = await find(em, caller.account.id, code);
      return row ? deleteNamedPdf(em, row) : deletePdfTemplate(em, { caller, kind });
    },
  }),
];
