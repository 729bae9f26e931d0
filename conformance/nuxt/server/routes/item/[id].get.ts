export default defineEventHandler(async event => {
  if (!probe.isInFront) await auth.requireSession(event)
  return probe.ran()
})
