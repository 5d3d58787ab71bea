import type { ChaseStep } from '../../billing/collection/cadence.ts';
import { checkSmsMessage } from '../../billing/mail/textMessage.ts';
import { cut, Refusal } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { cadenceWithStep } from '../../db/queries/catalog/templates.ts';
import { SmsTemplate } from '../../db/schema/templates.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';

export interface SmsTemplateFields {
  name: string;
  message: string;
  language: string | null;
}

export interface SmsTemplateKey {
  caller: Caller;
  id: number;
}

/** Most SMS templates of an account. */
const MOST_TEMPLATES = 500;

/** Creates an SMS template. Refuses a message that `checkSmsMessage` refuses. */
export async function createSmsTemplate(
  em: EntityManager,
  { caller, fields }: { caller: Caller; fields: SmsTemplateFields },
  systemNow: Date,
): Promise<SmsTemplate> {
  const accountId = caller.account.id;
  checkSmsMessage(fields.message);
  await lockCountOf(em, 'sms_template', accountId);
  if ((await em.count(SmsTemplate, { accountId })) >= MOST_TEMPLATES)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_TEMPLATES} SMS templates`);
  return em.create(SmsTemplate, { ...fields, accountId, createdAt: systemNow, updatedAt: systemNow });
}

/** Changes a template, for texts that are written later. Refuses what `createSmsTemplate` refuses. Throws Missing. */
export async function updateSmsTemplate(
  em: EntityManager,
  {
    fields,
    ...key
  }: SmsTemplateKey & { fields: { [Name in keyof SmsTemplateFields]: SmsTemplateFields[Name] | undefined } },
  systemNow: Date,
): Promise<SmsTemplate> {
  if (fields.message !== undefined) checkSmsMessage(fields.message);
  const template = await findSmsTemplate(em, key);
  if (assignChanges(template, fields)) template.updatedAt = systemNow;
  return template;
}

/** Deletes a template. Refuses one that a step of a cadence names. Throws Missing. */
export async function deleteSmsTemplate(em: EntityManager, key: SmsTemplateKey): Promise<void> {
  await lockCountOf(em, 'chasing_cadence', key.caller.account.id);
  const template = await findSmsTemplate(em, key);
  const cadence = await cadenceWithStep(em, template.accountId, { smsTemplateId: `${template.id}` });
  if (cadence !== null)
    throw new Refusal('in_use', `A step of chasing cadence ${cadence} has the SMS template: change it first`);
  em.remove(template);
}

async function findSmsTemplate(em: EntityManager, { caller, id }: SmsTemplateKey): Promise<SmsTemplate> {
  const template = await em.findOne(SmsTemplate, { accountId: caller.account.id, id });
  if (!template) throw new Missing('SMS template', id);
  return template;
}

/** Refuses a step with an SMS template that the account does not have. Ids that a step of `before` has are kept. */
export async function checkStepTemplates(
  em: EntityManager,
  { caller, before }: { caller: Caller; before: readonly TextedStep[] },
  steps: readonly TextedStep[],
): Promise<void> {
  const kept = new Set(before.map(({ smsTemplateId }) => smsTemplateId));
  const asked = steps.flatMap(({ smsTemplateId: id }) => (id === null || kept.has(id) ? [] : [id]));
  if (asked.length === 0) return;
  const known = await em.find(SmsTemplate, { accountId: caller.account.id, id: { $in: asked.flatMap(idIn) } });
  const missing = asked.find((id) => !known.some((one) => `${one.id}` === id));
  const index = steps.findIndex(({ smsTemplateId }) => smsTemplateId === missing);
  if (missing !== undefined)
    throw new Refusal(
      'resource_missing',
      `There is no SMS template ${cut(missing)}`,
      `steps[${index}][sms_template_id]`,
    );
}

type TextedStep = Pick<ChaseStep, 'smsTemplateId'>;

const LARGEST_ID = 2 ** 31 - 1;

/** The id that a step of a cadence names, as a list of at most one. */
function idIn(text: string): number[] {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return id > 0 && id <= LARGEST_ID ? [id] : [];
}

/** The template that a step of a cadence names. Null: none, or it does not exist. */
export async function templateOfStep(
  em: EntityManager,
  accountId: number,
  { smsTemplateId }: TextedStep,
): Promise<SmsTemplate | null> {
  const [id] = smsTemplateId === null ? [] : idIn(smsTemplateId);
  return id === undefined ? null : em.findOne(SmsTemplate, { accountId, id });
}
