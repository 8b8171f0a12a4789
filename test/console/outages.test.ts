import { outages } from './outages';
import { recovery } from './recovery';
import { consoleSuite } from './suite';

// The recovery last: afterwards the platform goes on as one that was put back.
consoleSuite('outages and a recovery', [outages, recovery]);
