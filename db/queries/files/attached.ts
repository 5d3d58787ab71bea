import type { DocumentType } from '../../../billing/documentTypes.ts';
import type { EntityManager } from '../../orm.ts';

/** A file that is attached to a document. */
export interface AttachedFile {
  accountId: number;
  name: string;
  /** Null: its bytes are stored here. */
  url: string | null;
  /** Null: it is stored elsewhere. */
  token: string | null;
}

/** The files that are attached to a document, in their order. */
export function attachedFiles(
  em: EntityManager,
  { accountId, type, id }: { accountId: number; type: Exclude<DocumentType, 'payment'>; id: number },
): Promise<AttachedFile[]> {
  return em.execute<AttachedFile[]>(
    `select f.account_id as "accountId", f.name, f.url, f.token from attachment a
     join file f on f.account_id = a.account_id and f.id = a.file_id
     where a.account_id = ? and a.${type}_id = ? order by a.position`,
    [accountId, id],
  );
}
