import type { z } from 'zod';
import { type CustomTemplate, customTemplateNamed, customTemplates } from '../../../billing/emailTemplates.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import {
  changedTemplates,
  isCustom,
  partsOf,
  readTemplate,
  saveTemplate,
  type TemplateKey,
  versionOf,
  versionsOf,
} from '../../../commands/mail/templates.ts';
import { sendTemplateTest } from '../../../commands/mail/templateTests.ts';
import { exampleOfTemplate } from '../../../present/emails/templateExamples.ts';
import { presentEmail } from '../../../present/mail/email.ts';
import { presentEmailTemplate, presentEmailTemplateVersion } from '../../../present/mail/emailTemplate.ts';
import { isSpoken } from '../../../present/printed/labels.ts';
import { definedOnly } from '../../body/definedOnly.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { pathCode, type Reply, type Route, reply, withBody } from '../../framework/route.ts';
import { write } from '../../writing/write.ts';
import { writeOutside } from '../../writing/writeOutside.ts';
import { changeRoute, deleteRoute } from '../../writing/writeRoutes.ts';
import { emails } from '../emails/resource.ts';
import { previewOf, refuseMistakes } from './checking.ts';
import { mailAbout } from './realData.ts';
import { emailTemplateChange, previewing, restoring, testing } from './schema.ts';
import { emailTemplate, emailTemplatePreview, emailTemplateVersion } from './shape.ts';

const path = '/email_templates';
const resource = { name: 'Email template', shape: emailTemplate, idColumn: 'code' as const };
const noParts = { subject: null, html: null, text: null };

/** The template and language in the path. Throws Missing for any other id. */
function keyOf(id: string): TemplateKey {
  const [name = '', language = ''] = id.split('-');
  const template = customTemplateNamed(name);
  if (!template || !isSpoken(language) || id !== `${template}-${language}`) throw new Missing(resource.name, id);
  return { template, language };
}

const keyIn = (request: ApiRequest): TemplateKey => keyOf(pathCode(request, resource.name));

/** All templates in the language of the account, and those that the account changed in other languages. */
async function list({ em, caller }: ApiRequest): Promise<Reply> {
  const { id, language } = caller.account;
  const changed = (await changedTemplates(em, id)).filter((one) => isCustom(one) || one.language === language);
  const stored = new Set(changed.filter((one) => one.language === language).map(({ template }) => template));
  const unchanged = await Promise.all(
    customTemplates
      .filter((template) => !stored.has(template))
      .map((template) => readTemplate(em, id, { template, language })),
  );
  const place = ({ template }: { template: CustomTemplate }) => customTemplates.indexOf(template);
  const all = [...changed, ...unchanged].toSorted((a, b) => place(a) - place(b));
  return reply(200, all.map(presentEmailTemplate));
}

function change(request: ApiRequest, body: z.output<typeof emailTemplateChange>): Promise<Reply> {
  const key = keyIn(request);
  const source = definedOnly(body);
  return writeOutside(request, {
    check: async () => undefined,
    act: () => refuseMistakes(request, key, source),
    record: (em, { caller }, now) => saveTemplate(em, { caller, key, source }, now),
    present: presentEmailTemplate,
  });
}

async function preview(request: ApiRequest, body: z.output<typeof previewing>): Promise<Reply> {
  const key = keyIn(request);
  const { object = null, ...draft } = body;
  const change = definedOnly(draft);
  await refuseMistakes(request, key, change);
  const mail = await mailAbout(request, key, object);
  return reply(200, await previewOf(request, { key, change, mail }));
}

async function test(request: ApiRequest, { to, object = null }: z.output<typeof testing>): Promise<Reply> {
  const key = keyIn(request);
  const rendered = await mailAbout(request, key, object);
  return write(request, {
    statusCode: 200,
    command: (em, caller, now) => sendTemplateTest(em, { caller, key, to, rendered }, now),
    present: presentEmail,
  });
}

export const emailTemplateRoutes: Route[] = [
  {
    method: 'GET',
    path,
    operationId: 'readEmailTemplates',
    summary: 'Read all email templates in your language, and those that you changed in others',
    answer: { statusCode: 200, kind: resource, isArray: true },
    handle: list,
  },
  {
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'readEmailTemplate',
    summary: 'Read an email template',
    idColumn: 'code',
    answer: { statusCode: 200, kind: resource },
    handle: async (request) => {
      const { em, caller } = request;
      return reply(200, presentEmailTemplate(await readTemplate(em, caller.account.id, keyIn(request))));
    },
  },
  withBody({
    method: 'PATCH',
    path: `${path}/:id`,
    operationId: 'updateEmailTemplate',
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
    summary: 'Return an email template to the default wording; its versions stay',
    command: (em, { caller, code }, now) => saveTemplate(em, { caller, key: keyOf(code), source: noParts }, now),
  }),
  {
    method: 'GET',
    path: `${path}/:id/versions`,
    operationId: 'readEmailTemplateVersions',
    summary: 'Read the versions of an email template, the newest first; fifty are kept',
    idColumn: 'code',
    answer: { statusCode: 200, kind: { shape: emailTemplateVersion }, isArray: true },
    handle: async (request) => {
      const versions = await versionsOf(request.em, request.caller.account.id, keyIn(request));
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
      const key = keyOf(code);
      const source = partsOf(await versionOf(em, caller.account.id, { ...key, version: body.version }));
      return saveTemplate(em, { caller, key, source }, now);
    },
  }),
  withBody({
    method: 'POST',
    path: `${path}/:id/preview`,
    operationId: 'previewEmailTemplate',
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
    summary: 'Send a test mail to the address of the account or of one of its members',
    idColumn: 'code',
    body: testing,
    example: { to: 'ada@acme.example' },
    answer: { statusCode: 200, kind: emails },
    handle: test,
  }),
];
