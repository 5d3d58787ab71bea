import { z } from 'zod';
import { tallyShape } from './tally.ts';

const orders = z.object({
  origin: z.string(),
  sandboxKey: z.string(),
  liveKey: z.string(),
  receivers: z.string(),
  seed: z.number(),
  /** Number of attacks at the same time. */
  lanes: z.number(),
  /** Names of the attacks to run. Empty: all. */
  only: z.array(z.string()),
});
export type Orders = z.output<typeof orders>;

/** Messages to the attacker: the orders first, then the end of each window in epoch milliseconds. */
export const attackOrders = z.object({ orders: orders.optional(), attack: z.object({ until: z.number() }).optional() });

/** Messages from the attacker. */
export const attackNews = z.object({
  ready: z.boolean().optional(),
  began: z.string().optional(),
  ended: z.string().optional(),
  tally: tallyShape.optional(),
});

/** Message from world.ts: a mail or a webhook for the victim has arrived. */
export const arrival = z.object({ mail: z.string().optional(), webhook: z.string().optional(), at: z.number() });
export const worldHello = z.object({ webhookUrl: z.string(), smtpUrl: z.string() });
