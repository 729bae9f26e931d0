// The server guards requests for the page; links are followed by the router, which asks here.
export default defineNuxtRouteMiddleware(async to => {
  const session = await useRequestFetch()('/auth/session')
  if (session) return
  const callbackUrl = encodeURIComponent(to.fullPath)
  return navigateTo(`/auth/signin?callbackUrl=${callbackUrl}`, { external: true })
})
