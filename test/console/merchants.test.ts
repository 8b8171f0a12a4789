import { merchants } from './merchants';
import { consoleSuite } from './suite';

consoleSuite('merchants', [merchants]);
