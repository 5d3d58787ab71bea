import { previewedTypes } from '../../../billing/emailTemplates.ts';
import {
  paperBlocks,
  paperColumns,
  paperKinds,
  paperLayouts,
  paperSizes,
  plainLayout,
} from '../../../billing/pdfTemplate.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { previewedObject } from '../previewedObject.ts';

const changes = {
  layout: fields.resettable(fields.choice(...paperLayouts), plainLayout),
  paper: fields.choice(...paperSizes),
  columns: fields.list(fields.required(fields.choice(...paperColumns)), paperColumns.length),
  blocks: fields.list(fields.required(fields.choice(...paperBlocks)), paperBlocks.length),
};

const name = fields.described(fields.name, 'Name of a further template', 'Export');

export const newPdfTemplate = object(
  {
    id: fields.described(fields.newCode, 'Id of the template; default: generated', 'export_invoice'),
    name: fields.required(name),
    kind: fields.withDefault(fields.described(fields.choice(...paperKinds), 'Kind of paper', 'invoice'), 'invoice'),
    ...changes,
  },
  { readOnly: ['object', 'updated_at'] },
);

export const pdfTemplateChange = object(
  { name: fields.kept(name), ...changes },
  { readOnly: ['id', 'object', 'kind', 'updated_at'] },
);

export const pdfTemplatePreviewing = object(
  { ...changes, object: previewedObject(previewedTypes) },
  { readOnly: ['id', 'kind', 'name', 'updated_at'] },
);
