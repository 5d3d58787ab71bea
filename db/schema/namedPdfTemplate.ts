import { defineEntity, p } from '@mikro-orm/core';
import {
  type PaperBlock,
  type PaperColumn,
  type PaperKind,
  type PaperLayout,
  type PaperSize,
  paperKinds,
  paperLayouts,
  paperSizes,
} from '../../billing/pdfTemplate.ts';
import { tenantPolicies } from '../tenant.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';

const NamedPdfTemplateSchema = defineEntity({
  name: 'NamedPdfTemplate',
  policies: tenantPolicies,
  comment: 'A further look of the PDFs of one kind of paper, which customers name',
  properties: {
    ...tenantKey,
    /** The id that clients see. It is never a kind of paper. */
    code: p.string().length(64),
    name: p.string().length(255),
    kind: p.string().length(16).$type<PaperKind>(),
    layout: p.string().length(16).$type<PaperLayout>(),
    /** Null: by the country of the seller. */
    paper: p.string().length(8).$type<PaperSize>().nullable(),
    columns: p.array().columnType('text[]').$type<PaperColumn[]>(),
    blocks: p.array().columnType('text[]').$type<PaperBlock[]>(),
    ...timestamps,
  },
  uniques: [{ name: 'named_pdf_template_code', properties: ['accountId', 'code'] }],
  checks: [
    { name: 'named_pdf_template_known', expression: oneOf('named_pdf_template', 'kind', paperKinds).expression },
    oneOf('named_pdf_template', 'layout', paperLayouts),
    oneOf('named_pdf_template', 'paper', paperSizes),
  ],
});
export class NamedPdfTemplate extends NamedPdfTemplateSchema.class {}
NamedPdfTemplateSchema.setClass(NamedPdfTemplate);
