declare module 'autocannon' {
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    headers: Record<string, string>;
  }
  interface Result {
    /** Milliseconds. */
    latency: { p99: number; max: number };
    requests: { total: number };
    non2xx: number;
    errors: number;
  }
  /** Sends requests over so many connections as fast as they are answered; the part that is used here. */
  export default function autocannon(options: Options): Promise<Result>;
}
