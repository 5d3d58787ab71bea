import * as fields from '../../framework/shape.ts';

export const file = fields.shape('File', 'File that can be attached to documents', {
  id: fields.id('Id of the file', 13),
  name: fields.text('Name of the file', 'contract.pdf'),
  size: fields.nullable(fields.integer('Size in bytes; null: a link of unknown size', 48_213)),
  type: fields.nullable(fields.text('MIME type; null: a link of unknown type', 'application/pdf')),
  url: fields.text(
    'URL of the file: a secret URL for an upload, otherwise the link',
    'https://billing.example/files/1/Nz3xq0hYp1UYVhB3l0dLr2bK8s5vWcTaEoJmGfQiRnA',
  ),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
