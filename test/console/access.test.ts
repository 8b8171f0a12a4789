import { entrance } from './entrance';
import { operators } from './operators';
import { consoleSuite } from './suite';
import { trouble } from './trouble';

consoleSuite('login, operators and outages', [entrance, operators, trouble]);
