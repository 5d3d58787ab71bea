import { type ChosenLogo, readLogo } from '../../../commands/accounts/logos.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';

/**
 * The file that a request names as logo, read before the transaction, because the file store is remote. Null: none. Undefined: the logo stays
 * as it is.
 */
export async function chosenLogo(
  { em, deps, caller }: ApiRequest,
  fileId: number | null | undefined,
): Promise<ChosenLogo | null | undefined> {
  if (!fileId) return fileId === undefined ? undefined : null;
  return readLogo({ em, fileStore: deps.fileStore }, { accountId: caller.account.id, fileId });
}
