import { portalCancels } from '../../../billing/selfServiceSettings.ts';
import { customersChoices } from '../../../billing/subscriptions/selfService.ts';
import * as shown from '../../framework/shape.ts';

const bounds = shown.value('QuantityBounds', 'Quantities that a customer can choose', {
  min: shown.integer('Smallest quantity', 1),
  max: shown.integer('Largest quantity', 50),
});

const offeredPlan = shown.value('OfferedPlan', 'Plan that a customer can have', {
  plan: shown.code('Id of the plan', 'gold'),
  name: shown.text('Name of the plan', 'Gold plan'),
  current: shown.flag('True: the subscription has it', true),
  quantity: shown.nullable(shown.one(bounds, 'Quantities to choose from; null: the quantity stays')),
});

const offeredAddon = shown.value('OfferedAddon', 'Add-on that a customer can choose', {
  plan: shown.nullable(shown.code('Id of the plan; null for a catalog item', 'seats')),
  catalog_item: shown.nullable(shown.code('Id of the catalog item; null for a plan', 'support-hour'), null),
  name: shown.text('Name of the plan or item', 'Seats'),
  quantity: shown.integer('Quantity that the subscription has', 0),
  max_quantity: shown.integer('Largest quantity', 20),
});

export const selfService = shown.value('SelfService', 'Changes that the customer of a subscription can make itself', {
  obstacle: shown.unset(
    shown.choice(
      'Obstacle to changes of plan, quantity and add-ons: `ended`; `planned_change`, `ends`, `paused`: that is planned or has begun, and may be in `undo`; `waits`: the contract waits to be renewed; null: nothing is in the way',
      'planned_change',
      'ended',
      'ends',
      'paused',
      'waits',
    ),
  ),
  can_change: shown.flag('True: there are plans, quantities or add-ons to choose', true),
  plans: shown.listOf(offeredPlan, 'Plans to choose from, the present one first'),
  addons: shown.listOf(offeredAddon, 'Add-ons to choose from'),
  can_pause: shown.flag('True: the customer can pause it', true),
  can_resume: shown.flag('True: the customer has paused it and can resume it', false),
  cancel: shown.oneOf('Way in which the customer can cancel it', 'period_end', portalCancels),
  undo: shown.textList(
    `Plans of the customer itself that it can take back: any of ${customersChoices.join(', ')}`,
    'change',
  ),
});
