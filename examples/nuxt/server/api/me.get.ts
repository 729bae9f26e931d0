export default defineEventHandler(async event => {
  const { user } = await auth.requireSession(event)
  return user
})
