// What the page for all other paths shows. Without a guard in front of it, there is no such page.
export default defineEventHandler(() => {
  if (!probe.isInFront) throw createError({ statusCode: 404 })
  return probe.ran()
})
