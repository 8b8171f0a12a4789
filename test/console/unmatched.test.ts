import { consoleSuite } from './suite';
import { unmatched } from './unmatched';

consoleSuite('unmatched money', [unmatched]);
