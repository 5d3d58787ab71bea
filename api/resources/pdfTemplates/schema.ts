import { previewedTypes } from '../../../billing/emailTemplates.ts';
import { paperBlocks, paperColumns, paperLayouts, paperSizes, plainLayout } from '../../../billing/pdfTemplate.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { previewedObject } from '../previewedObject.ts';

const changes = {
  layout: fields.resettable(fields.choice(...paperLayouts), plainLayout),
  paper: fields.choice(...paperSizes),
  columns: fields.list(fields.required(fields.choice(...paperColumns)), paperColumns.length),
  blocks: fields.list(fields.required(fields.choice(...paperBlocks)), paperBlocks.length),
};

export const pdfTemplateChange = object(changes, { readOnly: ['id', 'object', 'updated_at'] });

export const pdfTemplatePreviewing = object(
  { ...changes, object: previewedObject(previewedTypes) },
  { readOnly: ['id', 'updated_at'] },
);
