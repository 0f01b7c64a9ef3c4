declare module '*.csv?raw' {
  /** The text of the file, put into the build by Vite. */
  const text: string;
  export default text;
}
