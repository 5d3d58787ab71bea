import type { ChaseStep } from '../../billing/collection/cadence.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Caller } from '../kernel/caller.ts';
import { type ChosenTemplate, chooseTemplate, findChosen } from './namedEmailTemplates.ts';

type MailedStep = Pick<ChaseStep, 'emailTemplateId'>;

const REMINDER = 'late_payment_reminder_email';

/** Refuses a step with an email template that is no reminder or that the account does not have. Ids that a step of `before` has are kept. */
export async function checkStepMails(
  em: EntityManager,
  { caller, before }: { caller: Caller; before: readonly MailedStep[] },
  steps: readonly MailedStep[],
): Promise<void> {
  const kept = new Set(before.map(({ emailTemplateId }) => emailTemplateId));
  for (const [index, { emailTemplateId: id }] of steps.entries()) {
    if (id === null || kept.has(id)) continue;
    const param = `steps[${index}][email_template_id]`;
    await chooseTemplate(em, { accountId: caller.account.id, id, kinds: [REMINDER], param });
  }
}

/** The template that a request names for a reminder; `id` null: the built-in one. Refuses one that is no reminder or does not exist. */
export async function chooseStepMail(
  em: EntityManager,
  { accountId, id, param }: { accountId: number; id: string | null; param: string },
): Promise<ChosenTemplate> {
  return id === null
    ? { kind: REMINDER, code: null, language: null }
    : chooseTemplate(em, { accountId, id, kinds: [REMINDER], param });
}

/** The template of the reminder of a step. The built-in one if the step names none, or one that is no reminder or does not exist. */
export async function reminderTemplateOf(
  em: EntityManager,
  accountId: number,
  { emailTemplateId: id }: MailedStep,
): Promise<ChosenTemplate> {
  const found = id === null || id === undefined ? null : await findChosen(em, accountId, id);
  return found?.kind === REMINDER ? found : { kind: REMINDER, code: null, language: null };
}
