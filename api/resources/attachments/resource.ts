import { Attachment } from '../../../db/schema/attachment.ts';
import { File } from '../../../db/schema/file.ts';
import { presentAttachment } from '../../../present/files/attachment.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource, sorted } from '../../framework/resource.ts';
import { invoices } from '../invoices/resource.ts';
import { attachment } from './shape.ts';

/** The attachments of the invoice in the path. */
export const attachments: Resource<Attachment, 'id'> = {
  name: 'Attachment',
  shape: attachment,
  row: Attachment,
  idColumn: 'id',
  owner: { to: () => invoices, param: 'invoice_id', column: 'invoice_id' },
  columns: { id: column('id', fields.id), created_at: sorted('created_at') },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  order: [
    { column: 'position', direction: 'asc' },
    { column: 'id', direction: 'asc' },
  ],
  present: async (reading, rows) => {
    const files = await reading.byId(
      File,
      rows.map(({ file }) => file.id),
    );
    return rows.flatMap((row) => {
      const file = files.get(row.file.id);
      return file ? [presentAttachment(row, file)] : [];
    });
  },
};
