import { type Money, roundMoney, zero } from '../../billing/money/money.ts';
import type { DigestFacts, DigestSum } from '../../db/queries/accounts/digest.ts';
import type { Dispute } from '../../db/schema/dispute.ts';
import type { Webhook } from '../../db/schema/webhook.ts';
import { dashboardUrl, objectUrl, type Workplace } from '../kernel/links.ts';
import { mail } from './layout.ts';
import type { EmailParts, Row } from './parts.ts';
import { type Seller, type Sender, type Writing, writingFor } from './writing.ts';

/** The words of a mail to the team. They name no customer, because the mail stays when a customer is anonymized. */
type TeamWords = Pick<EmailParts, 'subject' | 'heading' | 'figure' | 'tone' | 'paragraphs' | 'rows' | 'action'>;

/** Currency of the formats of a mail without amounts. */
const NO_AMOUNT = 'usd';

/** The frame of mails to the team of an account: in its language, in its time zone. `currency`: of the amounts. */
function teamMail(seller: Seller, currency: string, write: (writing: Writing) => TeamWords): EmailParts {
  const writing = writingFor(seller, null, { currency, timeZone: seller.timeZone });
  const { language, direction, say } = writing;
  const footer = say('sentByAlone', { seller: seller.name });
  return { language, direction, seller: seller.name, ...write(writing), footer };
}

export interface DigestMailFacts {
  seller: Seller & { currency: string };
  /** The first instant of the day that it tells of. */
  day: Date;
  facts: DigestFacts;
  workplace: Workplace;
}

/** Template digest_email, sent to the team of the account: the money of a day, and what is open now. */
export const digestEmail = mail(({ seller, day, facts, workplace }: DigestMailFacts) => {
  const { currency, timeZone } = seller;
  return teamMail(seller, currency, ({ words, say, formats }) => {
    const money = ({ currency, amount }: Omit<DigestSum, 'count'>) =>
      writingFor(seller, null, { currency, timeZone }).formats.money(amount);
    const sums = (label: string, all: readonly DigestSum[]): Row[] =>
      all.map((one) => ({ label, value: `${money(one)} (${formats.quantity(String(one.count))})` }));
    const count = (label: string, number: number, page: string): Row[] =>
      number > 0 ? [{ label, value: formats.quantity(String(number)), href: dashboardUrl(workplace, page) }] : [];
    const { collected, failed, disputes, openDisputes, problems, tasks } = facts;
    const shown = formats.day(day);
    const first = collected.find((one) => one.currency === currency) ?? collected[0];
    return {
      subject: say('digestSubject', { seller: seller.name, day: shown }),
      heading: say('digestHeading', { day: shown }),
      figure: money(first ?? { currency, amount: zero(currency) }),
      tone: 'plain',
      paragraphs: [words.digestHere],
      rows: [
        ...sums(words.digestCollected, collected),
        ...sums(words.digestFailed, failed),
        ...sums(words.digestDisputes, disputes),
        ...count(words.digestOpenDisputes, openDisputes, '/disputes?filter%5Bstatus%5D=open'),
        ...count(words.digestProblems, problems, '/problems'),
        ...count(words.digestTasks, tasks, '/tasks?filter%5Bcomplete%5D=false'),
      ],
      action: { label: words.openDashboard, href: dashboardUrl(workplace) },
    };
  });
});

export interface ReportMailFacts {
  seller: Seller;
  /** Name of the schedule, and title of the report. */
  name: string;
  title: string;
  /** First and last local day of the report. */
  days: [first: string, last: string];
  rows: number;
  /** Address of the file; null: it is attached. */
  href: string | null;
}

/** Template report_email, sent to a member who gets a report by a schedule. */
export const reportEmail = mail(({ seller, name, title, days, rows, href }: ReportMailFacts) =>
  teamMail({ ...seller, timeZone: 'UTC' }, NO_AMOUNT, ({ words, say, formats }) => {
    const [first, last] = days.map((day) => formats.day(new Date(`${day}T00:00:00Z`)));
    const shown = first === last ? `${first}` : `${first} – ${last}`;
    return {
      subject: say('reportSubject', { name, days: shown }),
      heading: name,
      figure: '',
      tone: 'plain',
      paragraphs: [say(href ? 'reportLinked' : 'reportAttached', { title })],
      rows: [
        { label: words.reportTitle, value: title },
        { label: words.reportDays, value: shown },
        { label: words.reportRows, value: formats.quantity(String(rows)) },
      ],
      ...(href ? { action: { label: words.reportDownload, href } } : {}),
    };
  }),
);

export interface DisputeFacts {
  seller: Seller;
  dispute: Pick<Dispute, 'id' | 'amount' | 'currency' | 'reason' | 'gatewayId' | 'evidenceDueAt'>;
  /** Number of the customer. The mail has no name, because it stays when the customer is anonymized. */
  customerNumber: string;
  workplace: Workplace;
}

/** Template dispute_email, sent to the team of the account: which payment is disputed, and until when evidence helps. */
export const disputeEmail = mail(({ seller, dispute, customerNumber, workplace }: DisputeFacts) => {
  const { currency, evidenceDueAt } = dispute;
  return teamMail(seller, currency, ({ words, say, formats }) => {
    const amount = formats.money(roundMoney(dispute.amount, currency));
    const day = evidenceDueAt ? formats.day(evidenceDueAt) : null;
    const evidence = day ? say('disputeEvidence', { day }) : words.disputeEvidenceSoon;
    return {
      subject: say('disputeSubject', { amount }),
      heading: words.disputeHeading,
      figure: amount,
      tone: 'bad',
      paragraphs: [[words.disputeHere, evidence].join(words.space)],
      rows: [
        { label: words.disputeCustomer, value: customerNumber },
        { label: words.disputeReason, value: dispute.reason },
        { label: words.disputeReference, value: dispute.gatewayId },
      ],
      action: { label: words.openDashboard, href: objectUrl(workplace, { type: 'dispute', id: dispute.id }) },
    };
  });
});

/** An amount that cannot be billed or collected meanwhile; or what is wrong, in words that name no customer. */
type Stuck = { amount: Money; currency: string } | { message: string };

export interface ProblemFacts {
  seller: Seller;
  problem: Stuck & {
    id: number;
    /** Type and id of the object. The mail has no name, because it stays when a customer is anonymized. */
    object: { type: string; id: number };
    /** Further problems of this type that the team was not told yet. */
    more: number;
  };
  workplace: Workplace;
}

/** Template problem_email, sent to the team of the account. */
export const problemEmail = mail(({ seller, problem, workplace }: ProblemFacts) => {
  const currency = 'currency' in problem ? problem.currency : NO_AMOUNT;
  return teamMail(seller, currency, ({ words, say, formats }) => {
    const amount = 'amount' in problem ? formats.money(roundMoney(problem.amount, currency)) : null;
    const object = `${problem.object.type} ${problem.object.id}`;
    const reason: Row[] = 'message' in problem ? [{ label: words.problemReason, value: problem.message }] : [];
    const further: Row[] =
      problem.more > 0 ? [{ label: words.problemMore, value: formats.quantity(String(problem.more)) }] : [];
    return {
      subject: amount ? say('problemSubject', { amount }) : words.problemOtherSubject,
      heading: amount ? words.problemHeading : words.problemOtherHeading,
      figure: amount ?? object,
      tone: 'bad',
      paragraphs: amount ? [words.problemHere] : [],
      rows: [
        ...reason,
        { label: words.problemObject, value: object },
        { label: words.problemNumber, value: String(problem.id) },
        ...further,
      ],
      action: { label: words.openDashboard, href: objectUrl(workplace, problem.object) },
    };
  });
});

export interface WebhookDisabledFacts {
  seller: Sender;
  webhook: Webhook;
}

/** Template webhook_disabled_email, sent to the account's email address. */
export const webhookDisabledEmail = mail(({ seller, webhook }: WebhookDisabledFacts) => {
  return {
    language: 'en',
    direction: 'ltr',
    subject: 'A webhook endpoint was disabled',
    seller: seller.name,
    heading: 'An endpoint no longer receives events.',
    figure: 'Disabled',
    tone: 'bad',
    paragraphs: [
      'Undelivered events are kept. Once the endpoint answers again, enable it, and they are delivered in order.',
    ],
    rows: [
      { label: 'Endpoint', value: webhook.url },
      { label: 'Reason', value: webhook.disabledReason ?? 'failed for days' },
    ],
    footer: `Sent by Perennial to ${seller.name}.`,
  };
});
