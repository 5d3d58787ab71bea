import { paperKinds, paperLayouts } from '../../../billing/pdfTemplate.ts';
import * as fields from '../../framework/shape.ts';

export const pdfTemplate = fields.shape('PdfTemplate', 'Look of the PDFs of one kind of paper', {
  id: fields.oneOf('Kind of paper', 'invoice', paperKinds),
  layout: fields.oneOf('Layout of the paper', 'modern', paperLayouts),
  paper: fields.nullable(fields.text('Size of the paper: `a4` or `letter`; null: that of your country', 'a4')),
  columns: fields.textList(
    'Printed facts of a line: `quantity`, `unit_cost`, `description`, `service_period`, `tax`. Names, discounts and amounts always are',
  ),
  blocks: fields.textList(
    'Blocks that are printed: `bank_details`, `payment_reference`, `qr_code`, `links`, `footer`. The line with your name and address always is',
  ),
  updated_at: fields.nullable(fields.updatedAt),
});
