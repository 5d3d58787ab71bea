import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { File } from '../../db/schema/file.ts';
import { absolute } from '../kernel/origin.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

export function presentFile(file: Plain<File>): Presented {
  return {
    id: file.id,
    object: 'file',
    name: file.name,
    size: orNull(file.size),
    type: orNull(file.type),
    url: file.url ?? absolute(`/files/${file.accountId}/${file.token}`),
    created_at: unix(file.createdAt),
    updated_at: unix(file.updatedAt),
  };
}
