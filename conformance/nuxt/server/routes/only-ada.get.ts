export default defineEventHandler(async event => {
  if (!probe.isInFront) await auth.requireSession(event, { allow: probe.allow })
  return probe.ran()
})
