import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['id', 'object', 'status', 'target_time', 'stop_reason', 'happened', 'created_at', 'updated_at'];

export const newTestClock = object(
  {
    name: fields.name,
    frozen_time: fields.required(fields.described(fields.timestamp, 'Initial time of the clock; UNIX time in seconds')),
  },
  { readOnly },
);

export const advance = object(
  {
    frozen_time: fields.required(
      fields.described(
        fields.timestamp,
        'Time to advance to, not before the current time of the clock; UNIX time in seconds',
      ),
    ),
  },
  { readOnly, fixed: ['name'] },
);
