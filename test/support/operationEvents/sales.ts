import type { Row } from './row.ts';

const page = { name: 'Join', plans: ['told'] };
const link = { name: 'Ticket', amount: 5 };

/** Operations on sign-up pages and payment links. */
export const salesRows: Record<string, Row> = {
  createSignUpPage: {
    request: async () => ['/sign_up_pages', page],
    events: ['sign_up_page.created'],
  },
  updateSignUpPage: {
    request: async ({ make }) => [`/sign_up_pages/${await make('/sign_up_pages', page)}`, { trial_days: 7 }],
    events: ['sign_up_page.updated trial_days'],
  },
  deleteSignUpPage: {
    request: async ({ make }) => [`/sign_up_pages/${await make('/sign_up_pages', page)}`],
    events: ['sign_up_page.deleted'],
  },
  createPaymentLink: {
    request: async () => ['/payment_links', link],
    events: ['payment_link.created'],
  },
  updatePaymentLink: {
    request: async ({ make }) => [`/payment_links/${await make('/payment_links', link)}`, { amount: 6 }],
    events: ['payment_link.updated amount'],
  },
  deletePaymentLink: {
    request: async ({ make }) => [`/payment_links/${await make('/payment_links', link)}`],
    events: ['payment_link.deleted'],
  },
};
