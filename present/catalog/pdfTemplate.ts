import type { PaperKind, PdfTemplateFields } from '../../billing/pdfTemplate.ts';
import { type Presented, unix } from '../kernel/values.ts';

export function presentPdfTemplate(
  template: PdfTemplateFields & { code: string; name: string | null; kind: PaperKind; updatedAt: Date | null },
): Presented {
  return {
    id: template.code,
    object: 'pdf_template',
    name: template.name,
    kind: template.kind,
    layout: template.layout,
    paper: template.paper,
    columns: [...template.columns],
    blocks: [...template.blocks],
    updated_at: template.updatedAt && unix(template.updatedAt),
  };
}
