export default defineEventHandler(async event => {
  await auth.requireSession(event, { allow: ({ user }) => user?.name === 'Ada' })
  return 'admin'
})
