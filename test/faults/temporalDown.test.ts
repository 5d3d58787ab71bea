import { test } from '@jest/globals';
import { writesWhileTemporalIsDown } from './temporalDown.ts';

test('Temporal is down while 100 writes arrive', () => writesWhileTemporalIsDown(5), 90_000);
