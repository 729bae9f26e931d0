import { type RouteConfig, route } from '@react-router/dev/routes'

export default [
  route('who', 'routes/who.js'),
  route('auth/*', 'routes/auth.js', { id: 'auth' }),
  route('api/auth/*', 'routes/auth.js', { id: 'api-auth' }),
] satisfies RouteConfig
