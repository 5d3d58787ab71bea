import * as fields from '../../framework/shape.ts';
import { file } from '../files/shape.ts';

export const attachment = fields.shape('Attachment', 'File that is attached to a document', {
  id: fields.id('Id of the attachment', 7),
  file: fields.one(file, 'The attached file'),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
