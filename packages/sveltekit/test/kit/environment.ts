// What SvelteKit's module of that name says.
export let building = false

/** Runs something as if the application were being built. */
export async function whileBuilding(run: () => Promise<void>): Promise<void> {
  building = true
  try {
    await run()
  } finally {
    building = false
  }
}
