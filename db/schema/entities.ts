import { Account } from './account.ts';
import { ApiKey } from './apiKey.ts';
import { Attachment } from './attachment.ts';
import { AttemptCredit } from './attemptCredit.ts';
import { AttemptInvoice } from './attemptInvoice.ts';
import { AttemptRefund } from './attemptRefund.ts';
import { ChasingCadence } from './chasingCadence.ts';
import { Coupon } from './coupon.ts';
import { CouponRedemption } from './couponRedemption.ts';
import { Customer } from './customer.ts';
import { customerEntities } from './customerTables.ts';
import { Deployment } from './deployment.ts';
import { Digest } from './digest.ts';
import { Dispute } from './dispute.ts';
import { DocumentPdf } from './documentPdf.ts';
import { EmailTemplateVersion } from './emailTemplateVersion.ts';
import { Event } from './event.ts';
import { EventLog } from './eventLog.ts';
import { File } from './file.ts';
import { GatewayEvent } from './gatewayEvent.ts';
import { Idempotency } from './idempotency.ts';
import { Item } from './item.ts';
import { LateFee } from './lateFee.ts';
import { LateFeeSchedule } from './lateFeeSchedule.ts';
import { LedgerEntry } from './ledgerEntry.ts';
import { Logo } from './logo.ts';
import { MailEvent } from './mailEvent.ts';
import { MailProvider } from './mailProvider.ts';
import { MailSender } from './mailSender.ts';
import { Member } from './member.ts';
import { MemberSession } from './memberSession.ts';
import { MerchantAccount } from './merchantAccount.ts';
import { MessageProvider } from './messageProvider.ts';
import { NamedEmailTemplate } from './namedEmailTemplate.ts';
import { NamedPdfTemplate } from './namedPdfTemplate.ts';
import { Numbering } from './numbering.ts';
import { NumberingGap } from './numberingGap.ts';
import { OauthApplication } from './oauthApplication.ts';
import { OauthGrant } from './oauthGrant.ts';
import { OauthInteraction } from './oauthInteraction.ts';
import { OauthToken } from './oauthToken.ts';
import { Outbox } from './outbox.ts';
import { PaymentApplication } from './paymentApplication.ts';
import { PaymentMethod } from './paymentMethod.ts';
import { PdfTemplate } from './pdfTemplate.ts';
import { Plan } from './plan.ts';
import { Problem } from './problem.ts';
import { PumpLease } from './pumpLease.ts';
import { QueueProgress } from './queueProgress.ts';
import { RateLimitBucket } from './rateLimitBucket.ts';
import { Refund } from './refund.ts';
import { ServiceToken } from './serviceToken.ts';
import { SmsEvent } from './smsEvent.ts';
import { SmsTemplate } from './smsTemplate.ts';
import { Snapshot } from './snapshot.ts';
import { StatementPlanning } from './statementPlanning.ts';
import { StrayBytes } from './strayBytes.ts';
import { SubscriptionAddon } from './subscriptionAddon.ts';
import { Suppression } from './suppression.ts';
import { TaskInvoice } from './taskInvoice.ts';
import { TaxRate } from './taxRate.ts';
import { TaxRule } from './taxRule.ts';
import { TestClock } from './testClock.ts';
import { TestClockStep } from './testClockStep.ts';
import { TextStop } from './textStop.ts';
import { Theme } from './theme.ts';
import { Throttle } from './throttle.ts';
import { TimelineEntry } from './timelineEntry.ts';
import { UsageRate } from './usageRate.ts';
import { UsageRecord } from './usageRecord.ts';
import { UsageTotal } from './usageTotal.ts';
import { Wakeup } from './wakeup.ts';
import { Webhook } from './webhook.ts';
import { WebhookAttempt } from './webhookAttempt.ts';
import { WebhookDelivery } from './webhookDelivery.ts';
import { WebhookLane } from './webhookLane.ts';
import { WithheldCredit } from './withheldCredit.ts';
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
  ChasingCadence,
  Coupon,
  CouponRedemption,
  Customer,
  Deployment,
  EmailTemplateVersion,
  Digest,
  Dispute,
  DocumentPdf,
  Event,
  EventLog,
  File,
  GatewayEvent,
  Idempotency,
  Item,
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
  PaymentMethod,
  NamedEmailTemplate,
  NamedPdfTemplate,
  PdfTemplate,
  Plan,
  Problem,
  PumpLease,
  QueueProgress,
  RateLimitBucket,
  Refund,
  ServiceToken,
  SmsEvent,
  SmsTemplate,
  StatementPlanning,
  StrayBytes,
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
  WriteOff,
];
