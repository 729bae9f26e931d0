const { except, allow } = probe
const frontGuard = auth.requireSession({ except, allow })

export default defineEventHandler(event => {
  // Also while pages are prerendered, to show that it does not keep Nuxt from it.
  if (import.meta.prerender || probe.isInFront) return frontGuard(event)
})
