import { outages } from './outages';
import { recovery } from './recovery';
import { consoleSuite } from './suite';

// The recovery runs last: it leaves the platform in a restored state.
consoleSuite('outages and a recovery', [outages, recovery]);
