import { cadenceOf } from '../../../commands/aggregates/chasing.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { ChasingCadence } from '../../../db/schema/chasingCadence.ts';
import type { Customer } from '../../../db/schema/customer.ts';
import type { Include } from '../../framework/resource.ts';
import * as shown from '../../framework/shape.ts';

export const followedCadence = shown.nullable(
  shown.one(
    shown.value('FollowedCadence', 'Chasing cadence that a customer follows', {
      id: shown.id('Id of the chasing cadence', 3),
      name: shown.text('Name of the chasing cadence', 'Standard'),
    }),
    'Chasing cadence that the customer follows: the one that it names, else the one whose conditions match, else the default one; null: none; only with `include=followed_cadence`',
  ),
);

/** Most cadences that are compared with a customer. */
const MOST_CADENCES = 1000;

/** The cadences that customers follow. */
export const followedCadencesOf: Include<Customer>['read'] = async (reading, rows) => {
  const found = await reading.slice({
    row: ChasingCadence,
    where: condition("kind = 'customer'"),
    order: [{ column: 'id', direction: 'asc', nullable: false }],
    limit: MOST_CADENCES,
    offset: 0,
  });
  const cadences = found.map(({ row }) => row);
  return rows.map((row) => {
    const followed = cadenceOf(row, cadences);
    return followed && { id: followed.id, name: followed.name };
  });
};
