export default defineEventHandler(async event => {
  const { name } = await readBody<{ name: string }>(event)
  return auth.update(event, { name })
})
