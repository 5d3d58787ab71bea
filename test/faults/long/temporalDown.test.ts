import { test } from '@jest/globals';
import { writesWhileTemporalIsDown } from '../temporalDown.ts';

test('Temporal is down for 20 seconds while 100 writes arrive', () => writesWhileTemporalIsDown(20), 120_000);
