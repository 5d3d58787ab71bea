import { z } from 'zod';
import { tallyShape } from './tally.ts';

const orders = z.object({
  origin: z.string(),
  sandboxKey: z.string(),
  liveKey: z.string(),
  receivers: z.string(),
  seed: z.number(),
  /** Attacks at a time. */
  lanes: z.number(),
  /** Names of the attacks to run; all when there is none. */
  only: z.array(z.string()),
});
export type Orders = z.output<typeof orders>;

/** What the attacker is told: whom to attack, then until when (epoch milliseconds). */
export const attackOrders = z.object({ orders: orders.optional(), attack: z.object({ until: z.number() }).optional() });

/** What the attacker tells. */
export const attackNews = z.object({
  ready: z.boolean().optional(),
  began: z.string().optional(),
  ended: z.string().optional(),
  tally: tallyShape.optional(),
});

/** What the world outside tells: what has arrived for the victim. */
export const arrival = z.object({ mail: z.string().optional(), webhook: z.string().optional(), at: z.number() });
export const worldHello = z.object({ webhookUrl: z.string(), smtpUrl: z.string() });
