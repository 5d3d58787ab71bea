/** Senders of events about mail. `mailbox`: messages of mail servers, which a mailbox passes on. */
export const mailProviders = ['ses', 'postmark', 'sendgrid', 'mailbox'] as const;
export type MailProviderName = (typeof mailProviders)[number];
