import { paperKinds, paperLayouts } from '../../../billing/pdfTemplate.ts';
import * as fields from '../../framework/shape.ts';

export const pdfTemplate = fields.shape('PdfTemplate', 'Look of the PDFs of one kind of paper', {
  id: fields.text('Kind of paper, or id of a further template', 'invoice'),
  name: fields.unset(fields.text('Name of a further template; null: it is built in', 'Export')),
  kind: fields.oneOf('Kind of paper', 'invoice', paperKinds),
  layout: fields.oneOf('Layout of the paper', 'modern', paperLayouts),
  paper: fields.nullable(fields.text('Size of the paper: `a4` or `letter`; null: that of your country', 'a4')),
  columns: fields.textList(
    'Printed facts of a line: `quantity`, `unit_cost`, `description`, `service_period`, `tax`. Receipts and statements have none of these. Names, discounts, dates of entries and amounts always are printed',
  ),
  blocks: fields.textList(
    'Blocks that are printed: `bank_details`, `payment_reference`, `qr_code`, `links`, `footer`. Only invoices have the first three, and statements have no links. The line with your name and address always is printed',
  ),
  updated_at: fields.nullable(fields.updatedAt),
});
