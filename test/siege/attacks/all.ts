import type { Attack } from '../attack.ts';
import { clocks } from './clocks.ts';
import { loads } from './loads.ts';
import { mails } from './mails.ts';
import { money } from './money.ts';
import { files } from './pictures.ts';
import { sizes } from './sizes.ts';
import { texts } from './texts.ts';
import { webhooks } from './webhooks.ts';

export const attacks: readonly Attack[] = [
  ...texts,
  ...sizes,
  ...files,
  ...money,
  ...mails,
  ...webhooks,
  ...clocks,
  ...loads,
];
