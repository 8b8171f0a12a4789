export { freePort } from '../../local/ports';
