import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Attachment, File } from '../../db/schema/file.ts';
import { type Presented, unix } from '../kernel/values.ts';
import { presentFile } from './file.ts';

/** An attachment with its file. */
export function presentAttachment(attachment: Plain<Attachment>, file: Plain<File>): Presented {
  return {
    id: attachment.id,
    object: 'attachment',
    file: presentFile(file),
    created_at: unix(attachment.createdAt),
    updated_at: unix(attachment.updatedAt),
  };
}
