import type { PaperKind, PdfTemplateFields } from '../../billing/pdfTemplate.ts';
import { type Presented, unix } from '../kernel/values.ts';

export function presentPdfTemplate(
  template: PdfTemplateFields & { kind: PaperKind; updatedAt: Date | null },
): Presented {
  return {
    id: template.kind,
    object: 'pdf_template',
    layout: template.layout,
    paper: template.paper,
    columns: [...template.columns],
    blocks: [...template.blocks],
    updated_at: template.updatedAt && unix(template.updatedAt),
  };
}
