import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Attachment, File } from '../../db/schema/file.ts';
import { absolute } from '../kernel/links.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

export function presentFile(file: Plain<File>): Presented {
  return {
    id: file.id,
    object: 'file',
    name: file.name,
    size: orNull(file.size),
    type: orNull(file.type),
    url: fileUrl(file),
    created_at: unix(file.createdAt),
    updated_at: unix(file.updatedAt),
  };
}

/** Address of the bytes of a file, or of the page elsewhere that it links to. */
export function fileUrl({ accountId, token, url }: Pick<Plain<File>, 'accountId' | 'token' | 'url'>): string {
  return url ?? absolute(`/files/${accountId}/${token}`);
}

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
