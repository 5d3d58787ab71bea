import { paperBlocks, paperColumns, paperLayouts, paperSizes, plainLayout } from '../../../billing/pdfTemplate.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

export const pdfTemplateChange = object(
  {
    layout: fields.resettable(fields.choice(...paperLayouts), plainLayout),
    paper: fields.choice(...paperSizes),
    columns: fields.list(fields.required(fields.choice(...paperColumns)), paperColumns.length),
    blocks: fields.list(fields.required(fields.choice(...paperBlocks)), paperBlocks.length),
  },
  { readOnly: ['id', 'object', 'updated_at'] },
);
