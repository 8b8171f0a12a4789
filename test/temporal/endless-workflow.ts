/** Never ends its task. Stands in for the workflow of a recorded history. */
export function callbackDelivery2(): Promise<never> {
  for (;;);
}
