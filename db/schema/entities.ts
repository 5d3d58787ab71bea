import { Account } from './account.ts';
import { ApiKey } from './apiKey.ts';
import { AttemptCredit, AttemptInvoice, AttemptRefund } from './attemptParts.ts';
import { AuditAnchor, AuditHead, AuditLink, AuditLog, AuditQueue } from './auditLog.ts';
import { ChasingCadence } from './chasingCadence.ts';
import { Coupon, CouponRedemption } from './coupon.ts';
import { Customer } from './customer.ts';
import { CustomerBalance } from './customerBalance.ts';
import { customerEntities } from './customerTables.ts';
import { CustomField } from './customField.ts';
import { Deployment } from './deployment.ts';
import { Digest } from './digest.ts';
import { Dispute } from './dispute.ts';
import { DocumentPdf } from './documentPdf.ts';
import { Event, EventLog } from './event.ts';
import { Attachment, File, StrayBytes } from './file.ts';
import { GatewayEvent } from './gatewayEvent.ts';
import { GlAccount } from './glAccount.ts';
import { Idempotency } from './idempotency.ts';
import { Item } from './item.ts';
import { Job, JobRow } from './job.ts';
import { LateFee, LateFeeSchedule } from './lateFee.ts';
import { LedgerEntry } from './ledgerEntry.ts';
import { Logo } from './logo.ts';
import { MailEvent } from './mailEvent.ts';
import { MailProvider } from './mailProvider.ts';
import { MailSender } from './mailSender.ts';
import { Member, MemberSession, Role } from './member.ts';
import { MerchantAccount } from './merchantAccount.ts';
import { MessageProvider } from './messageProvider.ts';
import { MrrMovement } from './mrrMovement.ts';
import { Numbering, NumberingGap } from './numbering.ts';
import { OauthApplication, OauthGrant, OauthInteraction, OauthToken } from './oauth.ts';
import { Outbox } from './outbox.ts';
import { PaymentApplication } from './paymentApplication.ts';
import { PaymentLink } from './paymentLink.ts';
import { PaymentMethod } from './paymentMethod.ts';
import { Passkey, Person, PersonSecret, PersonSession, RecoveryCode } from './person.ts';
import { Plan } from './plan.ts';
import { Problem } from './problem.ts';
import { PumpLease } from './pumpLease.ts';
import { QueueProgress } from './queueProgress.ts';
import { RateLimitBucket, Throttle } from './rateLimit.ts';
import { Refund } from './refund.ts';
import { ReportSchedule } from './reportSchedule.ts';
import { SavedView } from './savedView.ts';
import { StatementPlanning } from './scheduledStatement.ts';
import { ServiceToken } from './serviceToken.ts';
import { SignUpPage } from './signUpPage.ts';
import { Snapshot } from './snapshot.ts';
import { SubscriptionAddon } from './subscription.ts';
import { Suppression } from './suppression.ts';
import { TaskInvoice } from './task.ts';
import { TaxRate, TaxRule } from './taxRate.ts';
import { EmailTemplateVersion, NamedEmailTemplate, NamedPdfTemplate, PdfTemplate, SmsTemplate } from './templates.ts';
import { TestClock, TestClockStep } from './testClock.ts';
import { SmsEvent, TextStop } from './textMessage.ts';
import { Theme } from './theme.ts';
import { TimelineEntry } from './timelineEntry.ts';
import { UsageRate, UsageRecord, UsageTotal } from './usage.ts';
import { Wakeup } from './wakeup.ts';
import { Webhook } from './webhook.ts';
import { WebhookAttempt, WebhookDelivery, WebhookLane } from './webhookDelivery.ts';
import { WithheldCredit } from './withheldCredit.ts';
import { WorkItem } from './workItem.ts';
import { WriteOff } from './writeOff.ts';

/** All tables, and the queries that are read as rows. Explicit, so that nothing is discovered by accident. */
export const entities = [
  ...customerEntities,
  Account,
  ApiKey,
  Attachment,
  AttemptCredit,
  AttemptInvoice,
  AttemptRefund,
  AuditAnchor,
  AuditHead,
  AuditLink,
  AuditLog,
  AuditQueue,
  ChasingCadence,
  Coupon,
  CouponRedemption,
  Customer,
  CustomerBalance,
  CustomField,
  Deployment,
  EmailTemplateVersion,
  Digest,
  Dispute,
  DocumentPdf,
  Event,
  EventLog,
  File,
  GatewayEvent,
  GlAccount,
  Idempotency,
  Item,
  Job,
  JobRow,
  LateFee,
  LateFeeSchedule,
  LedgerEntry,
  Logo,
  MailEvent,
  MailProvider,
  MailSender,
  Member,
  MemberSession,
  MerchantAccount,
  MessageProvider,
  Numbering,
  NumberingGap,
  OauthApplication,
  OauthGrant,
  OauthInteraction,
  OauthToken,
  Outbox,
  PaymentApplication,
  PaymentLink,
  PaymentMethod,
  NamedEmailTemplate,
  NamedPdfTemplate,
  Passkey,
  PdfTemplate,
  Person,
  PersonSecret,
  PersonSession,
  Plan,
  Problem,
  PumpLease,
  QueueProgress,
  RateLimitBucket,
  RecoveryCode,
  Refund,
  ReportSchedule,
  Role,
  SavedView,
  ServiceToken,
  SmsEvent,
  SmsTemplate,
  StatementPlanning,
  StrayBytes,
  SignUpPage,
  Snapshot,
  SubscriptionAddon,
  Suppression,
  TaskInvoice,
  TaxRate,
  TaxRule,
  TestClock,
  TestClockStep,
  Theme,
  TextStop,
  Throttle,
  TimelineEntry,
  UsageRate,
  UsageRecord,
  UsageTotal,
  Wakeup,
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookLane,
  WithheldCredit,
  MrrMovement,
  WorkItem,
  WriteOff,
];
