import { mimeType, typeOfFile } from '../../billing/look/fileName.ts';
import { Refusal } from '../../billing/refusal.ts';
import { createFile, deleteFile, linkFile, revokeFileLinks } from '../../commands/files/files.ts';
import { bytesOf, removeBytes, type Stray, storeBytes } from '../../commands/files/strayBytes.ts';
import { File } from '../../db/schema/file.ts';
import { presentFile } from '../../present/files/file.ts';
import * as fields from '../body/fields.ts';
import { readText, unfit } from '../body/readers.ts';
import { object } from '../body/request.ts';
import type { Upload } from '../body/upload.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { column, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { found, pathId, type Reply, type Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { write } from '../writing/write.ts';
import { actionRoute, createRoute, deleteRoute } from '../writing/writeRoutes.ts';

export const file = shown.shape('File', 'File that can be attached to documents', {
  id: shown.id('Id of the file', 13),
  name: shown.text('Name of the file', 'contract.pdf'),
  size: shown.nullable(shown.integer('Size in bytes; null: a link of unknown size', 48_213)),
  type: shown.nullable(shown.text('MIME type; null: a link of unknown type', 'application/pdf')),
  url: shown.text(
    'URL of the file: a secret URL for an upload, otherwise the link',
    'https://billing.example/files/1/Nz3xq0hYp1UYVhB3l0dLr2bK8s5vWcTaEoJmGfQiRnA',
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const MOST_BYTES = 2_147_483_647;
const MOST_OF_URL = 2048;

/** An http or https URL: customers see it as a link. */
const webUrl = fields.field(
  (value) => {
    const text = readText(value, MOST_OF_URL);
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !/^https?:$/.test(url.protocol))
      return unfit('must be a URL that begins with https:// or http://');
    // A parser of URLs drops tabs and line ends, so that what customers see would be another address.
    if (/\p{Cc}/u.test(text)) return unfit('must not contain control characters');
    return url.username || url.password ? unfit('must not contain a user name or password') : text;
  },
  { type: 'string', maxLength: MOST_OF_URL, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' },
);

const type = fields.field(
  (value) => {
    const text = readText(value, 255);
    return mimeType(text) ?? unfit(`must be a MIME type, such as application/pdf: ${text}`);
  },
  { type: 'string', maxLength: 255 },
);

/** A file that is stored elsewhere. Uploads come as `multipart/form-data`. */
const newFile = object(
  {
    url: fields.required(webUrl),
    name: fields.required(fields.name),
    size: fields.wholeNumber(0, MOST_BYTES),
    type,
  },
  { readOnly: ['id', 'object', 'created_at', 'updated_at'] },
);

export const files: Resource<File, 'id'> = {
  name: 'File',
  area: 'documents',
  shape: file,
  row: File,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    type: column('type', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentFile),
};

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

const reading = readRoute({ path, resource: files, summary: 'Read a file, or its bytes; its `url` serves them, too' });

/** Responds with the bytes of an uploaded file. Refuses a file that is stored elsewhere. */
async function readBytes(request: ApiRequest): Promise<Reply> {
  const { deps, em, caller } = request;
  const id = pathId(request, 'File');
  const about = found(await em.findOne(File, { accountId: caller.account.id, id }), 'File', id);
  if (about.url) throw new Refusal('state_conflict', `The file is stored elsewhere: ${about.url}`);
  return {
    statusCode: 200,
    json: null,
    file: { about, bytes: found(await bytesOf(deps.fileStore, about), 'File', id) },
  };
}

export const fileRoutes: Route[] = [
  {
    ...create,
    takesFile: true,
    handle: (request) => (request.upload ? upload(request, request.upload) : create.handle(request)),
  },
  listRoute({ path, resource: files, summary: 'List files' }),
  {
    ...reading,
    media: ['file'],
    handle: (request) => (request.medium === 'file' ? readBytes(request) : reading.handle(request)),
  },
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
