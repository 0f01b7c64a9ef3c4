export interface ServeOptions {
  readonly data: string;
  /** A database with the office, instead of the data folder. */
  readonly store?: string;
  readonly port?: number;
  readonly host?: string;
  readonly windowPort?: number;
  readonly tunnelPort?: number;
  /** Time that an unresponsive process keeps a database's lease, in milliseconds. */
  readonly lease?: number;
  readonly publicUrl?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly allowPlainPartners?: true;
  readonly trustedProxies?: readonly string[];
  readonly label?: string;
  /** In milliseconds. */
  readonly syncInterval?: number;
  readonly allowLoopbackPartners: boolean;
  readonly remoteManagement: boolean;
  readonly json: boolean;
  readonly open: boolean;
  /** Shows the window of a node that already runs, and ends (`npm start`). */
  readonly orShow: boolean;
}
