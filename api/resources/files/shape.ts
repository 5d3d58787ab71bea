import * as fields from '../../framework/shape.ts';

export const file = fields.shape('File', 'A file that documents can carry', {
  id: fields.id('Its id', 13),
  name: fields.text('File name', 'contract.pdf'),
  size: fields.nullable(fields.integer('Bytes; null: a link whose size nobody said', 48_213)),
  type: fields.nullable(fields.text('MIME type; null: a link whose type nobody said', 'application/pdf')),
  url: fields.text(
    'Where it is: what was uploaded at an address that nobody can guess, else the link',
    'https://billing.example/files/1/Nz3xq0hYp1UYVhB3l0dLr2bK8s5vWcTaEoJmGfQiRnA',
  ),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
