import { money } from './money';
import { consoleSuite } from './suite';

consoleSuite('deposits', [money]);
