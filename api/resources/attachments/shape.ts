import * as fields from '../../framework/shape.ts';
import { file } from '../files/shape.ts';

export const attachment = fields.shape('Attachment', 'A file that a document carries', {
  id: fields.id('Its id', 7),
  file: fields.one(file, 'The file'),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
