/** The activities of the floors. */
export const floorActivities = {
  async nothing(): Promise<void> {
    await Promise.resolve();
  },
};

/** As the floors' workflows see them. */
export type FloorActivities = typeof floorActivities;

/** Of the floors, beside those of the product on the same server. */
export const FLOOR_TASK_QUEUE = 'causeway-bench-floor';
