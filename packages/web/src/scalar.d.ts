/** Address of Scalar's script, which the build writes (`vite.config.ts`). */
declare module 'virtual:scalar' {
  const url: string;
  export default url;
}
