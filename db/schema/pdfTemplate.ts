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

const PdfTemplateSchema = defineEntity({
  name: 'PdfTemplate',
  policies: tenantPolicies,
  comment: 'Look of the PDFs of one kind of paper; without a row the default applies',
  properties: {
    ...tenantKey,
    kind: p.string().length(16).$type<PaperKind>(),
    layout: p.string().length(16).$type<PaperLayout>(),
    /** Null: by the country of the seller. */
    paper: p.string().length(8).$type<PaperSize>().nullable(),
    columns: p.array().columnType('text[]').$type<PaperColumn[]>(),
    blocks: p.array().columnType('text[]').$type<PaperBlock[]>(),
    ...timestamps,
  },
  uniques: [{ name: 'pdf_template_kind', properties: ['accountId', 'kind'] }],
  checks: [
    { name: 'pdf_template_known', expression: oneOf('pdf_template', 'kind', paperKinds).expression },
    oneOf('pdf_template', 'layout', paperLayouts),
    oneOf('pdf_template', 'paper', paperSizes),
  ],
});
export class PdfTemplate extends PdfTemplateSchema.class {}
PdfTemplateSchema.setClass(PdfTemplate);
