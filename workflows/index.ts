export { charge } from './charge.ts';
export { clock } from './clock.ts';
export { estimate } from './estimate.ts';
export { invoice } from './invoice.ts';
export { mail } from './mail.ts';
export { payment_source } from './paymentSource.ts';
export { subscription } from './subscription.ts';
export { webhook } from './webhook.ts';
