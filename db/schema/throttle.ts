import { defineEntity, p } from '@mikro-orm/core';

const ThrottleSchema = defineEntity({
  name: 'Throttle',
  comment: 'Count of tries without a credential, such as sign-ins; belongs to no account',
  properties: {
    /** SHA-256 of the counted thing, such as an address, hexadecimal. */
    key: p.string().length(64).primary(),
    count: p.integer(),
    /** Real time at which the count restarts. */
    endsAt: p.datetime(),
  },
  indexes: [{ name: 'throttle_end', properties: ['endsAt'] }],
});
export class Throttle extends ThrottleSchema.class {}
ThrottleSchema.setClass(Throttle);
