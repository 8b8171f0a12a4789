import { outages } from './outages';
import { recovery } from './recovery';
import { consoleSuite } from './suite';

// The recovery last: afterwards the platform goes on as one that was restored.
consoleSuite('outages and a recovery', [outages, recovery]);
