export default defineEventHandler(async event => {
  const session = await auth.getSession(event)
  return { hello: session?.user?.name }
})
