import type { z } from 'zod';
import { Refusal } from '../../../billing/refusal.ts';
import {
  addNamedTemplate,
  checkNewTemplate,
  deleteNamedTemplate,
} from '../../../commands/catalog/namedEmailTemplates.ts';
import { splitId } from '../../../commands/catalog/templates.ts';
import {
  isCustom,
  partsOf,
  readTemplate,
  saveTemplate,
  versionOf,
  versionsOf,
} from '../../../commands/mail/templates.ts';
import { sendTemplateTest } from '../../../commands/mail/templateTests.ts';
import { lockCountOf } from '../../../db/lock.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { newestEmailTemplates } from '../../../db/queries/catalog/templates.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { EmailTemplateVersion } from '../../../db/schema/templates.ts';
import { exampleOfTemplate } from '../../../present/emails/html.ts';
import { presentEmail, presentEmailTemplate, presentEmailTemplateVersion } from '../../../present/mail/email.ts';
import * as fields from '../../body/fields.ts';
import { definedOnly, object } from '../../body/request.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { pathCode, type Reply, type Route, reply, withBody } from '../../framework/route.ts';
import { write } from '../../writing/write.ts';
import { writeOutside } from '../../writing/writeOutside.ts';
import { changeRoute, deleteRoute } from '../../writing/writeRoutes.ts';
import { emails } from '../emails.ts';
import { asked, askedStatement } from '../statements.ts';
import {
  emailTemplate,
  emailTemplateChange,
  emailTemplatePreview,
  emailTemplateVersion,
  namedObject,
  newEmailTemplate,
  restoring,
  sources,
  testing,
} from './fields.ts';
import { allTemplates, type FoundTemplate, findTemplate, headOf, NAME, refuseSeveral } from './found.ts';
import { mailAbout, previewOf, refuseMistakes } from './previewing.ts';

const path = '/email_templates';
const resource = { name: NAME, shape: emailTemplate, area: 'settings', idColumn: 'code' } as const;
const previewing = object({
  ...sources,
  object: namedObject,
  statement: fields.described(
    fields.nested(object(asked)),
    'Which statement of the customer in `object`; absent: its latest one',
  ),
});

const noParts = { subject: null, html: null, text: null };

const foundIn = (request: ApiRequest): Promise<FoundTemplate> =>
  findTemplate(request.em, request.caller.account, pathCode(request, NAME));

/** The template and the language in the path, as checks and samples take them. */
const kindIn = ({ kind, key }: FoundTemplate) => ({ template: kind, language: key.language });

function create(request: ApiRequest, body: z.output<typeof newEmailTemplate>): Promise<Reply> {
  const { id = null, template: kind, language: asked, name, ...sources } = body;
  const language = asked ?? request.caller.account.language;
  const source = definedOnly(sources);
  if (!isCustom({ ...noParts, ...source }))
    throw new Refusal('parameter_missing', 'An email template needs a subject, html or text of its own', 'html');
  const fields = { caller: request.caller, id, kind, language, name };
  return writeOutside(request, {
    statusCode: 201,
    check: (em, caller) => checkNewTemplate(em, { ...fields, caller }),
    act: () => refuseMistakes(request, { template: kind, language }, source),
    record: async (em, { caller }, now) => {
      const named = await addNamedTemplate(em, { ...fields, caller }, now);
      const state = await saveTemplate(em, { caller, key: { template: named.code, language }, source }, now);
      return { ...state, ...headOf({ kind: named.kind, named }) };
    },
    present: presentEmailTemplate,
  });
}

async function change(request: ApiRequest, body: z.output<typeof emailTemplateChange>): Promise<Reply> {
  const { name, ...sources } = body;
  const source = definedOnly(sources);
  const found = await foundIn(request);
  if (Object.keys(source).length > 0) refuseSeveral(found);
  if (name !== undefined && name !== null && !found.named)
    throw new Refusal('parameter_invalid', 'A built-in email template has no name of its own', 'name');
  return writeOutside(request, {
    check: async () => undefined,
    act: () => refuseMistakes(request, kindIn(found), source),
    record: async (em, { caller }, now) => {
      const { key, kind, named } = await findTemplate(em, caller.account, pathCode(request, NAME));
      if (named && name !== undefined && name !== (named.name ?? null)) Object.assign(named, { name, updatedAt: now });
      return { ...(await saveTemplate(em, { caller, key, source }, now)), ...headOf({ kind, named }) };
    },
    present: presentEmailTemplate,
  });
}

async function preview(request: ApiRequest, body: z.output<typeof previewing>): Promise<Reply> {
  const found = await foundIn(request);
  const { object = null, statement, ...draft } = body;
  const change = definedOnly(draft);
  await refuseMistakes(request, kindIn(found), change);
  const wanted = { object, statement: statement ? askedStatement(statement) : undefined };
  const mail = await mailAbout(request, kindIn(found), wanted);
  const shown = await previewOf(request, { key: found.key, change, mail });
  return reply(200, { ...shown, html: request.previews.ofMail({ html: shown.html, logo: null }) });
}

async function test(request: ApiRequest, { to, object = null }: z.output<typeof testing>): Promise<Reply> {
  const found = await foundIn(request);
  const rendered = await mailAbout(request, kindIn(found), { object });
  const { kind, named } = found;
  return write(request, {
    statusCode: 200,
    command: (em, caller, now) => sendTemplateTest(em, { caller, kind, code: named?.code ?? null, to, rendered }, now),
    present: presentEmail,
  });
}

export const emailTemplateRoutes: Route[] = [
  {
    method: 'GET',
    path,
    operationId: 'readEmailTemplates',
    permission: 'settings.read',
    summary: 'Read all email templates in your language, those that you changed in others, and further ones',
    answer: { statusCode: 200, kind: resource, isArray: true },
    handle: async ({ em, caller }) => reply(200, (await allTemplates(em, caller.account)).map(presentEmailTemplate)),
  },
  withBody({
    method: 'POST',
    path,
    operationId: 'createEmailTemplate',
    permission: 'settings.write',
    summary: 'Create a further email template of a kind, or add a language to one; sends and steps of cadences name it',
    body: newEmailTemplate,
    example: {
      id: 'friendly_invoice',
      template: 'new_invoice_email',
      language: 'en',
      subject: 'Your invoice {{invoice.number}}',
    },
    answer: { statusCode: 201, kind: resource },
    handle: create,
  }),
  {
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'readEmailTemplate',
    permission: 'settings.read',
    summary: 'Read an email template',
    idColumn: 'code',
    answer: { statusCode: 200, kind: resource },
    stored: (request) => {
      const accountId = request.caller.account.id;
      const code = pathCode(request, NAME);
      const where = condition('template in (?, ?)', code, splitId(code).name);
      const lock = (em: EntityManager) => lockCountOf(em, 'email_template', accountId);
      return { accountId, row: EmailTemplateVersion, from: newestEmailTemplates, where, lock, mayBeAbsent: true };
    },
    handle: async (request) => {
      const { em, caller } = request;
      const found = await foundIn(request);
      const state = await readTemplate(em, caller.account.id, found.key);
      return reply(200, presentEmailTemplate({ ...state, ...headOf(found) }));
    },
  },
  withBody({
    method: 'PATCH',
    path: `${path}/:id`,
    operationId: 'updateEmailTemplate',
    permission: 'settings.write',
    summary: 'Change the wording of a mail in one language; null returns a part to the default',
    idColumn: 'code',
    body: emailTemplateChange,
    example: { subject: 'Your invoice {{invoice.number}}', html: exampleOfTemplate },
    answer: { statusCode: 200, kind: resource },
    handle: change,
  }),
  deleteRoute({
    path,
    resource,
    summary: 'Return a built-in email template to the default wording, or delete a further one in one or all languages',
    command: async (em, { caller, code }, now) => {
      const { key, named, languages } = await findTemplate(em, caller.account, code);
      if (!named) return saveTemplate(em, { caller, key, source: noParts }, now);
      const language = code === named.code ? null : (languages[0] ?? null);
      return deleteNamedTemplate(em, { caller, named, language }, now);
    },
  }),
  {
    method: 'GET',
    path: `${path}/:id/versions`,
    operationId: 'readEmailTemplateVersions',
    permission: 'settings.read',
    summary: 'Read the versions of an email template, the newest first; fifty are kept',
    idColumn: 'code',
    answer: { statusCode: 200, kind: { shape: emailTemplateVersion }, isArray: true },
    handle: async (request) => {
      const versions = await versionsOf(request.em, request.caller.account.id, (await foundIn(request)).key);
      return reply(200, versions.map(presentEmailTemplateVersion));
    },
  },
  changeRoute({
    method: 'POST',
    path: `${path}/:id/restore`,
    operationId: 'restoreEmailTemplate',
    resource,
    summary: 'Make an earlier version of an email template the newest one',
    body: restoring,
    example: { version: 1 },
    present: presentEmailTemplate,
    command: async (em, { caller, code, body }, now) => {
      const found = await findTemplate(em, caller.account, code);
      refuseSeveral(found);
      const { key } = found;
      const source = partsOf(await versionOf(em, caller.account.id, { ...key, version: body.version }));
      return { ...(await saveTemplate(em, { caller, key, source }, now)), ...headOf(found) };
    },
  }),
  withBody({
    method: 'POST',
    path: `${path}/:id/preview`,
    operationId: 'previewEmailTemplate',
    permission: 'settings.read',
    summary: 'Preview a mail with sample or real values, also with sources that are not saved',
    idColumn: 'code',
    body: previewing,
    example: { subject: 'Your invoice {{invoice.number}}' },
    bodyShape: emailTemplate,
    answer: { statusCode: 200, kind: { shape: emailTemplatePreview } },
    storesNothing: true,
    handle: preview,
  }),
  withBody({
    method: 'POST',
    path: `${path}/:id/test`,
    operationId: 'testEmailTemplate',
    permission: 'settings.write',
    summary: 'Send a test mail to the address of the account or of one of its members',
    idColumn: 'code',
    body: testing,
    example: { to: 'ada@acme.example' },
    answer: { statusCode: 200, kind: emails },
    handle: test,
  }),
];
