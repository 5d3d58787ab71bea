import { typeOfFile } from '../../../billing/fileName.ts';
import { createFile, deleteFile, linkFile, revokeFileLinks } from '../../../commands/files/files.ts';
import { removeBytes, type Stray, storeBytes } from '../../../commands/files/strayBytes.ts';
import { presentFile } from '../../../present/files/file.ts';
import type { Upload } from '../../body/upload.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import { pathId, type Reply, type Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { write } from '../../writing/write.ts';
import { actionRoute, createRoute, deleteRoute } from '../../writing/writeRoutes.ts';
import { files } from './resource.ts';
import { newFile } from './schema.ts';

const path = '/files';

/**
 * Stores the bytes first, outside any transaction, and then creates the file. If no file is created, for example because a stored response is
 * replayed, the bytes are deleted again.
 */
async function upload(request: ApiRequest, sent: Upload): Promise<Reply> {
  const { deps, caller } = request;
  const { name, size } = sent;
  const bytes = { ...sent, type: typeOfFile(name, sent.type) };
  const stray = await storeBytes(deps, { accountId: caller.account.id, bytes }, deps.systemNow());
  let isAdopted = false;
  try {
    return await write(request, {
      statusCode: 201,
      command: async (em, who, now) => {
        const file = await createFile(em, { caller: who, name, size, type: sent.type, stray }, now);
        isAdopted = true;
        return file;
      },
      present: presentFile,
    });
  } finally {
    if (!isAdopted) await remove(deps, stray);
  }
}

/** Deletes bytes. If that fails, the sweep deletes them later. */
async function remove(deps: ApiDeps, stray: Stray): Promise<void> {
  await removeBytes(deps, stray).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'bytes without a file could not be deleted; the sweep will delete them');
  });
}

const create = createRoute({
  path,
  resource: files,
  body: newFile,
  present: presentFile,
  summary:
    'Create a file: upload it as `multipart/form-data` with a part named `file`, or record a link to a file stored elsewhere',
  example: { url: 'https://docs.example/contract.pdf', name: 'contract.pdf', size: 48_213, type: 'application/pdf' },
  command: (em, { caller, body }, now) => {
    const { name, url, size, type } = body;
    return linkFile(em, { caller, name, url, size: size ?? null, type: type ?? null }, now);
  },
});

const deletion = deleteRoute({
  path,
  resource: files,
  summary: 'Delete a file that is not attached to a document',
  command: (em, { caller, id }, now) => deleteFile(em, { caller, id }, now),
});

/** Deletes the file, then its bytes after the commit. */
async function removeFile(request: ApiRequest): Promise<Reply> {
  let stray: Stray | null = null;
  const id = pathId(request, 'File');
  const answer = await write(request, {
    statusCode: 204,
    command: async (em, caller, now) => {
      stray = await deleteFile(em, { caller, id }, now);
    },
    present: () => null,
  });
  if (stray) await remove(request.deps, stray);
  return answer;
}

export const fileRoutes: Route[] = [
  {
    ...create,
    takesFile: true,
    handle: (request) => (request.upload ? upload(request, request.upload) : create.handle(request)),
  },
  listRoute({ path, resource: files, summary: 'List files' }),
  readRoute({ path, resource: files, summary: 'Read a file; its `url` serves the bytes' }),
  actionRoute({
    path: `${path}/:id/revoke_links`,
    operationId: 'revokeFileLinks',
    summary: 'Give a new address to a file; the one from before leads nowhere',
    resource: files,
    command: revokeFileLinks,
    present: presentFile,
  }),
  { ...deletion, handle: removeFile },
];
