export default defineEventHandler(async event => {
  const session = await auth.api.getSession({ headers: event.headers })
  return { hello: session?.user.name }
})
