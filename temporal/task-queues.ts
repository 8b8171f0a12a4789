export { CALLBACKS_TASK_QUEUE, ORDERS_TASK_QUEUE } from '../workflows/shared';
